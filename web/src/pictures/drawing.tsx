// A picture that can be moved, zoomed and walked through: its boxes and arrows come with all their coordinates.

import type { ComponentChildren } from "preact";
import { memo } from "preact/compat";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Box, Drawing } from "../protocol";
import { light, mark } from "./marking";
import { neighbour } from "./neighbours";
import { SaveMenu, type Exported } from "./saving";
import { ArrowShape, ArrowWords, BoxShape, LinkShape } from "./shapes";
import { Words } from "../walking/parts";
import { StatesTable } from "./table";
import { Viewport } from "./viewport";

export interface DrawingProps {
  drawing: Drawing;
  label: string;
  /** The number of the box that is selected, of the one where we are, and of those on the way that was played. */
  selected?: number | null | undefined;
  current?: number | null | undefined;
  marked?: ReadonlySet<number> | undefined;
  onBox?: ((box: Box) => void) | undefined;
  exported?: Exported | undefined;
  toolbar?: ComponentChildren;
}

let lastPicture = 0;

export function DrawingView(props: DrawingProps) {
  const { drawing, label, selected, current, marked, onBox, exported, toolbar } = props;
  const [asTable, setAsTable] = useState(false);
  const [scale, setScale] = useState(100);
  const frame = useRef<HTMLDivElement>(null);
  const sheet = useRef<SVGSVGElement>(null);
  const group = useRef<SVGGElement>(null);
  const viewport = useRef<Viewport | null>(null);
  const boxes = useMemo(() => new Map(drawing.boxes.map((box) => [box.number, box])), [drawing]);
  const focus = boxes.get(current ?? -1) ?? drawing.boxes.find((box) => box.initial) ?? drawing.boxes[0] ?? null;
  const head = useMemo(() => `pic-head-${++lastPicture}`, []);

  useEffect(() => {
    if (asTable || !frame.current || !sheet.current) return;
    const made = new Viewport(frame.current, sheet.current, drawing);
    made.onScale = (now) => setScale(Math.round(now * 100));
    made.focus = focus;
    made.begin();
    viewport.current = made;
    return () => { made.dispose(); viewport.current = null; };
  }, [asTable]);
  useEffect(() => {
    if (!viewport.current) return;
    viewport.current.focus = focus;
    viewport.current.resize(drawing);
  }, [drawing]);
  useEffect(() => { if (!asTable) mark(group.current, drawing, selected ?? null, current ?? null, marked); }, [drawing, selected, current, marked, asTable]);
  useEffect(() => {
    const box = current === undefined || current === null ? undefined : boxes.get(current);
    if (box && !asTable) viewport.current?.reveal(box);
  }, [current, drawing, asTable]);

  const focusBox = (number: number) => {
    const found = group.current?.querySelector<SVGGElement>(`[data-box="${number}"]`);
    const box = boxes.get(number);
    if (!found || !box) return;
    for (const each of group.current!.querySelectorAll<SVGGElement>('[data-box][tabindex="0"]')) each.setAttribute("tabindex", "-1");
    found.setAttribute("tabindex", "0");
    found.focus({ preventScroll: true });
    viewport.current?.reveal(box);
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = boxOf(event.target, boxes);
    if (target && (event.key === "Enter" || event.key === " ")) onBox?.(target);
    else if (target && event.key in ARROWS && !event.shiftKey) {
      const next = neighbour(target, drawing.boxes, ARROWS[event.key]!);
      if (next) focusBox(next.number);
    } else if (target && event.key === "Escape") frame.current?.focus();
    else if (event.key in ARROWS) {
      const [dx, dy] = ARROWS[event.key]!;
      viewport.current?.pan(-dx * 60, -dy * 60);
    } else if (!target && event.key === "Enter") focusBox((selected ?? current) ?? drawing.boxes[0]?.number ?? -1);
    else if (event.key === "+" || event.key === "=") viewport.current?.zoom(1.25);
    else if (event.key === "-") viewport.current?.zoom(0.8);
    else if (event.key === "0") viewport.current?.fit();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <figure class="pic">
      <div class="pic-tools" role="toolbar" aria-label={`${label}: picture`}>
        {!asTable && (
          <>
            <button type="button" class="v-icon" title="Smaller (-)" aria-label="Smaller" onClick={() => viewport.current?.zoom(0.8)}>−</button>
            <output class="pic-scale" aria-label="Scale">{scale}%</output>
            <button type="button" class="v-icon" title="Larger (+)" aria-label="Larger" onClick={() => viewport.current?.zoom(1.25)}>+</button>
            <button type="button" class="v-btn" title="All of it (0)" onClick={() => viewport.current?.fit()}>Fit</button>
            {current !== undefined && current !== null && boxes.has(current) && (
              <button type="button" class="v-btn" title="Move to the state where we are" onClick={() => viewport.current?.reveal(boxes.get(current)!, true)}>Here</button>
            )}
          </>
        )}
        {toolbar}
        <span class="v-gap" />
        <button type="button" class="v-btn" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>Table</button>
        {exported && <SaveMenu exported={exported} />}
      </div>
      {asTable ? <StatesTable drawing={drawing} label={label} selected={selected ?? null} onBox={onBox} /> : (
        <div ref={frame} class="pic-frame" tabindex={0} role="group" aria-label={`${label}. Arrow keys move the picture, plus and minus zoom, Enter goes to its boxes.`}
          onKeyDown={onKeyDown}
          onClick={(event) => { const box = boxOf(event.target, boxes); if (box) { focusBox(box.number); onBox?.(box); } }}
          onPointerOver={(event) => event.buttons === 0 && light(group.current, drawing, boxOf(event.target, boxes)?.number ?? null)}
          onPointerLeave={() => light(group.current, drawing, null)}>
          <svg ref={sheet} class="pic-svg" width={Math.ceil(drawing.width)} height={Math.ceil(drawing.height)} role="presentation">
            <defs>
              <marker id={head} viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="pic-head" d="M0 0 L8 4 L0 8 z" /></marker>
            </defs>
            <g ref={group} class="pic-all"><Shapes drawing={drawing} boxes={boxes} head={head} /></g>
          </svg>
        </div>
      )}
      {drawing.cut && !drawing.notes.some((note) => note.startsWith("cut ")) && <p class="pic-cut">This is not all of it: the picture was cut.</p>}
      {drawing.notes.length > 0 && <figcaption class="pic-notes" tabindex={0}>{drawing.notes.map((note) => <p><Words text={note} /></p>)}</figcaption>}
    </figure>
  );
}

const ARROWS: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function boxOf(target: EventTarget | null, boxes: ReadonlyMap<number, Box>): Box | null {
  const found = target instanceof Element ? target.closest("[data-box]") : null;
  return found ? boxes.get(Number(found.getAttribute("data-box"))) ?? null : null;
}

/** Everything in a picture; it is made once for a drawing, whatever is marked in it. */
const Shapes = memo(function Shapes({ drawing, boxes, head }: { drawing: Drawing; boxes: ReadonlyMap<number, Box>; head: string }) {
  return (
    <>
      <g class="pic-arrows">{drawing.arrows.map((arrow, index) => <ArrowShape arrow={arrow} index={index} head={head} />)}</g>
      <g class="pic-links">{drawing.links.map((link) => <LinkShape link={link} boxes={boxes} />)}</g>
      <g class="pic-labels">{drawing.arrows.map((arrow, index) => <ArrowWords arrow={arrow} index={index} />)}</g>
      <g class="pic-boxes">{drawing.boxes.map((box) => <BoxShape box={box} />)}</g>
    </>
  );
}, (before, after) => before.drawing === after.drawing);
