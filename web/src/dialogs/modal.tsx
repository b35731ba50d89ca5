// What opens over the page: keys stay inside, Escape closes it, and whoever had the focus gets it back.

import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Icon } from "../shell/icons";
import { dialog } from "../state";

interface Props { title: string; children: ComponentChildren; size?: "small" | "medium" | "large"; onClose?: () => void; aside?: ComponentChildren }

/** Who had the focus before the first of the dialogs that followed each other. */
let origin: HTMLElement | null = null;

export function closeDialog(): void {
  dialog.value = null;
}

export function Modal({ title, children, size = "medium", onClose = closeDialog, aside }: Props) {
  const place = useRef<HTMLDialogElement>(null);
  const isOver = useRef(false);
  useLayoutEffect(() => {
    const before = document.activeElement;
    const box = place.current!;
    if (before instanceof HTMLElement && !before.closest("dialog")) origin = before;
    box.showModal();
    box.querySelector<HTMLElement>("[data-autofocus]")?.focus();
    return () => {
      isOver.current = true;
      if (box.open) box.close();
      if (dialog.peek() === null && origin?.isConnected) origin.focus();
    };
  }, []);
  return (
    <dialog ref={place} class={`dialog is-${size}`} aria-labelledby="dialog-title" onClose={() => { if (!isOver.current) onClose(); }}
      onMouseDown={(event) => { if (event.target === place.current) onClose(); }}>
      <div class="dialog-frame">
        <header class="dialog-head">
          <h2 id="dialog-title">{title}</h2>
          <span class="grow">{aside}</span>
          <button type="button" class="icon-button" aria-label="Close" title="Close (Escape)" onClick={onClose}><Icon name="close" /></button>
        </header>
        <div class="dialog-body">{children}</div>
      </div>
    </dialog>
  );
}
