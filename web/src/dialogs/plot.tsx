// A plot that the server has drawn: only shapes and words of it are taken over, and the page gives them their colours.

import { useEffect, useRef } from "preact/hooks";
import { SaveMenu } from "../pictures/saving";
import type { TextAnswer } from "../protocol";

const SVG = "http://www.w3.org/2000/svg";
const SHAPES = new Set(["svg", "g", "path", "circle", "rect", "text", "title"]);
const PROPERTIES = new Set(["class", "d", "x", "y", "cx", "cy", "r", "width", "height", "viewBox", "text-anchor", "transform", "stroke-dasharray", "role"]);
/** What a picture needs that leaves the page. */
const LOOKS = ["fill", "stroke", "stroke-width", "font-size", "font-family", "font-weight"];

/** Return a copy of nothing but known shapes with known properties; null where the text is no picture. */
function taken(source: Element): Element | null {
  if (source.namespaceURI !== SVG || !SHAPES.has(source.localName)) return null;
  const made = document.createElementNS(SVG, source.localName);
  for (const { name, value } of source.attributes) if (PROPERTIES.has(name)) made.setAttribute(name, value);
  for (const child of source.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) made.append(child.textContent ?? "");
    const inner = child instanceof Element ? taken(child) : null;
    if (inner) made.append(inner);
  }
  return made;
}

export function PlotFigure({ title, svg, tikz }: { title: string; svg: string; tikz: string }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const parsed = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
    const made = taken(parsed);
    place.current?.replaceChildren(...(made ? [made] : []));
  }, [svg]);
  const make = async (format: string): Promise<TextAnswer> => {
    const shown = place.current?.querySelector("svg"), name = title.replace(/\W+/g, "-");
    if (format === "tikz") return { text: tikz, name: `${name}.tex` };
    if (!shown) throw new Error("there is no picture");
    return { text: withLooks(shown), name: `${name}.svg` };
  };
  return (
    <figure class="sweep-plot">
      <div ref={place} />
      <figcaption>{title} <SaveMenu make={make} formats={["svg", "tikz"]} /></figcaption>
    </figure>
  );
}

/** The picture as a file, with the looks that it has here. */
function withLooks(shown: SVGElement): string {
  const copy = shown.cloneNode(true) as SVGElement;
  const originals = [shown, ...shown.querySelectorAll("*")], copies = [copy, ...copy.querySelectorAll("*")];
  originals.forEach((original, at) => {
    const look = getComputedStyle(original);
    for (const name of LOOKS) copies[at]!.setAttribute(name, look.getPropertyValue(name));
  });
  copy.setAttribute("xmlns", SVG);
  return copy.outerHTML;
}
