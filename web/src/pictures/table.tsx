// The same picture as a table, for those who cannot see it or want to read it.

import type { Box, Drawing } from "../protocol";

export function StatesTable({ drawing, label, selected, onBox }: { drawing: Drawing; label: string; selected: number | null; onBox?: ((box: Box) => void) | undefined }) {
  const titles = new Map(drawing.boxes.map((box) => [box.number, box.title]));
  const leaving = new Map<number, { to: string; words: string }[]>();
  for (const arrow of drawing.arrows) {
    const some = leaving.get(arrow.source) ?? [];
    leaving.set(arrow.source, some);
    some.push({ to: titles.get(arrow.target) ?? "", words: arrow.full || arrow.label?.lines.map((line) => line.text).join(" ") || "" });
  }
  return (
    <div class="pic-table" tabindex={0} role="region" aria-label={label}>
      <table class="v-table">
        <thead><tr><th scope="col">Box</th><th scope="col">What it says</th><th scope="col">Arrows</th></tr></thead>
        <tbody>
          {drawing.boxes.map((box) => (
            <tr class={box.number === selected ? "is-selected" : ""}>
              <th scope="row">
                {onBox ? <button type="button" class="v-link" onClick={() => onBox(box)}>{box.title}</button> : box.title}
                <span class="v-quiet">{[box.initial && "initial", box.kind !== "plain" && (box.kind === "stuck" ? "no step leads on" : box.kind), box.states > 1 && `${box.states} states`].filter(Boolean).join(", ")}</span>
              </th>
              <td>
                {box.lines.map((line) => <div>{line}</div>)}
                {box.looks.map((look) => <span class={`v-tag look-${(look.number - 1) % 10}`}>≈ {look.agent} {look.number}</span>)}
              </td>
              <td>{(leaving.get(box.number) ?? []).map((each) => <div>→ {each.to}{each.words && <span class="v-quiet"> {each.words}</span>}</div>)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
