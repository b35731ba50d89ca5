// What a view puts into the head of its pane.

import type { ComponentChildren } from "preact";
import { createPortal } from "preact/compat";
import { useLayoutEffect, useState } from "preact/hooks";
import type { Pane } from "../state";

export function InHead({ pane, children }: { pane: Pane; children: ComponentChildren }) {
  const [place, setPlace] = useState<Element | null>(null);
  useLayoutEffect(() => setPlace(document.getElementById(`pane-head-${pane}`)), []);
  return place && createPortal(children, place);
}
