// The text, what is wrong with it, and whether it is still the same on disk.

import { useEffect, useRef } from "preact/hooks";
import { isReading, readFailure } from "../checking";
import { changedOnDisk, keepMine, reload } from "../documents";
import { dialog, document_, isStale, opened, usable } from "../state";
import { goTo, openEditor } from "./editor";
import { Words } from "../walking/parts";

export function TextPane() {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => openEditor(place.current!), []);
  return (
    <div class="text-pane">
      <DiskBar />
      <div class="text-editor" ref={place} />
      <Foot />
    </div>
  );
}

function DiskBar() {
  const change = changedOnDisk.value;
  if (!change) return null;
  const name = document_.value.name;
  return (
    <div class="disk-bar" role="alert">
      <span>{change.version === null ? `${name} is gone from disk` : `${name} has changed on disk`}</span>
      <span class="grow" />
      {change.version !== null && <button type="button" class="link" onClick={() => { dialog.value = { name: "conflict", about: { path: document_.value.path, version: change.version } }; }}>Compare</button>}
      {change.version !== null && <button type="button" class="link" onClick={() => void reload()}>Reload</button>}
      <button type="button" class="link" onClick={keepMine}>Keep mine</button>
    </div>
  );
}

const KINDS: Readonly<Record<string, string>> = { finite: "finite", unbounded: "numbers without bounds", parameterised: "any number of agents" };
const SIGNS = { error: "✗", warning: "⚠", note: "ℹ" } as const;

function Foot() {
  const now = opened.value;
  const wrong = now?.diagnostics ?? [];
  const first = wrong.find((each) => each.severity === "error") ?? wrong.find((each) => each.severity === "warning");
  const counted = (severity: "error" | "warning") => wrong.filter((each) => each.severity === severity).length;
  const words = [[counted("error"), "error"], [counted("warning"), "warning"]].filter(([amount]) => amount).map(([amount, noun]) => `${amount} ${noun}${amount === 1 ? "" : "s"}`).join(", ");
  const isOld = usable.value !== null && isStale.value;
  return (
    <footer class="text-foot">
      {readFailure.value ? <span class="foot-words tone-failed">! <Words text={readFailure.value} /></span>
        : first ? (
          <button type="button" class={`foot-words foot-first tone-${first.severity === "error" ? "no" : "open"}`} title={[first.message, ...first.notes, first.help].filter(Boolean).join("\n")}
            onClick={() => { if (first.line) goTo(first.line, first.column ?? 1); }}>
            {SIGNS[first.severity]} {first.line ? `${first.line}: ` : ""}<Words text={first.message} />
          </button>
        ) : <span class="foot-words">{now ? `${KINDS[now.kind] ?? now.kind}${now.interleaved ? ", interleaved" : ""}` : ""}</span>}
      <span class="foot-count">{words}</span>
      <span class="foot-state" aria-hidden="true">{isReading.value ? "reading …" : isOld ? "verdicts are of the text before" : ""}</span>
    </footer>
  );
}
