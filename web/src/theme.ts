// Light, dark, or what the system says.

import { computed, effect, signal } from "@preact/signals";
import { theme } from "./state";

const KEY = "gnomon-theme";
const system = matchMedia("(prefers-color-scheme: dark)");
const systemIsDark = signal(system.matches);
system.addEventListener("change", () => { systemIsDark.value = system.matches; });

export const isDark = computed(() => theme.value === "dark" || (theme.value === "system" && systemIsDark.value));

export function startTheme(): void {
  const before = localStorage.getItem(KEY);
  if (before === "light" || before === "dark") theme.value = before;
  effect(() => { document.documentElement.dataset["theme"] = isDark.value ? "dark" : "light"; });
  effect(() => {
    try { localStorage.setItem(KEY, theme.value); } catch { /* private windows keep nothing */ }
  });
}

export function nextTheme(): void {
  theme.value = ({ system: "light", light: "dark", dark: "system" } as const)[theme.value];
}
