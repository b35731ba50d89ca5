// What stands out in a picture: by classes on what is there already, for the picture itself is made once.

import type { Drawing } from "../protocol";

/** The elements of a picture by what they stand for. */
interface Parts { drawing: Drawing; boxes: Map<number, SVGGElement>; arrows: Element[][]; links: Element[]; ofBox: Map<number, number[]>; on: Set<Element>; lit: Set<Element> }

const known = new WeakMap<SVGGElement, Parts>();

function partsOf(group: SVGGElement, drawing: Drawing): Parts {
  const before = known.get(group);
  if (before?.drawing === drawing) return before;
  const parts: Parts = { drawing, boxes: new Map(), arrows: drawing.arrows.map(() => []), links: [...group.querySelectorAll(".pic-link")], ofBox: new Map(), on: new Set(), lit: new Set() };
  for (const each of group.querySelectorAll<SVGGElement>("[data-box]")) parts.boxes.set(Number(each.dataset["box"]), each);
  for (const each of group.querySelectorAll<SVGGElement>("[data-arrow], [data-words]")) parts.arrows[Number(each.dataset["arrow"] ?? each.dataset["words"])]?.push(each);
  drawing.arrows.forEach((arrow, index) => {
    for (const box of new Set([arrow.source, arrow.target])) parts.ofBox.set(box, [...(parts.ofBox.get(box) ?? []), index]);
  });
  known.set(group, parts);
  return parts;
}

function arrowsOf(parts: Parts, box: number | null): Element[] {
  return box === null ? [] : (parts.ofBox.get(box) ?? []).flatMap((index) => parts.arrows[index] ?? []);
}

/** Show which boxes are special now. */
export function mark(group: SVGGElement | null, drawing: Drawing, selected: number | null, current: number | null, marked: ReadonlySet<number> | undefined): void {
  if (!group) return;
  const parts = partsOf(group, drawing);
  const focusable = selected ?? current ?? drawing.boxes[0]?.number ?? -1;
  for (const [number, each] of parts.boxes) {
    each.classList.toggle("is-selected", number === selected);
    each.classList.toggle("is-here", number === current);
    each.classList.toggle("is-marked", marked?.has(number) ?? false);
    each.setAttribute("tabindex", number === focusable ? "0" : "-1");
    if (number === selected) each.setAttribute("aria-pressed", "true"); else each.removeAttribute("aria-pressed");
  }
  for (const each of parts.on) each.classList.remove("is-on");
  parts.on = new Set(arrowsOf(parts, selected));
  for (const each of parts.on) each.classList.add("is-on");
}

/** Light up the arrows and links of the box below the pointer. */
export function light(group: SVGGElement | null, drawing: Drawing, number: number | null): void {
  if (!group) return;
  const parts = partsOf(group, drawing);
  const links = number === null ? [] : parts.links.filter((each) => each.getAttribute("data-left") === String(number) || each.getAttribute("data-right") === String(number));
  const now = new Set([...arrowsOf(parts, number), ...links]);
  for (const each of parts.lit) if (!now.has(each)) each.classList.remove("is-lit");
  for (const each of now) if (!parts.lit.has(each)) each.classList.add("is-lit");
  parts.lit = now;
}
