// A button with something below it that stays inside its pane, and goes when one does something else.

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

export function Drop({ summary, label, isOn = false, asForm, children }: {
  summary: ComponentChildren; label?: string; isOn?: boolean; asForm?: (close: () => void) => void; children: (close: () => void) => ComponentChildren;
}) {
  const [isOpen, setOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const close = () => { setOpen(false); button.current?.focus(); };

  useEffect(() => {
    if (!isOpen) return;
    keepInside(body.current, place.current?.closest(".model, .run"));
    body.current?.querySelector<HTMLElement>("input, select, button")?.focus({ preventScroll: true });
    const away = (event: Event) => { if (!place.current?.contains(event.target as Node)) setOpen(false); };
    document.addEventListener("pointerdown", away);
    document.addEventListener("focusin", away);
    return () => { document.removeEventListener("pointerdown", away); document.removeEventListener("focusin", away); };
  }, [isOpen]);

  const content = isOpen && children(close);
  return (
    <div class="v-drop" ref={place} onKeyDown={(event) => { if (isOpen && event.key === "Escape") { event.preventDefault(); event.stopPropagation(); close(); } }}>
      <button type="button" ref={button} class={`v-btn v-drop-button${isOn ? " is-on" : ""}`} aria-expanded={isOpen} aria-label={label} title={label} onClick={() => setOpen(!isOpen)}>{summary}</button>
      {isOpen && (asForm
        ? <form class="v-drop-body" ref={body as never} onSubmit={(event) => { event.preventDefault(); asForm(close); }}>{content}</form>
        : <div class="v-drop-body" ref={body}>{content}</div>)}
    </div>
  );
}

function keepInside(body: HTMLElement | null, pane: Element | null | undefined): void {
  if (!body || !pane) return;
  body.style.left = "0px";
  const box = body.getBoundingClientRect(), room = pane.getBoundingClientRect();
  const over = box.right - (room.right - 8);
  if (over > 0) body.style.left = `${-Math.min(over, box.left - room.left - 8)}px`;
  body.style.maxHeight = `${Math.max(120, Math.min(room.bottom, window.innerHeight) - box.top - 10)}px`;
}
