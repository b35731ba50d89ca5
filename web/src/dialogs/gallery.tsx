// Models to begin with, by groups; one click opens them.

import { useState } from "preact/hooks";
import { mayLeave, openGallery } from "../documents";
import { document_, hello } from "../state";
import { Modal, closeDialog } from "./modal";

const KINDS = { finite: "finite", unbounded: "numbers without bounds", parameterised: "any number of agents" } as const;

export function Gallery() {
  const [filter, setFilter] = useState("");
  const all = hello.value?.gallery ?? [];
  const word = filter.trim().toLowerCase();
  const shown = all.filter((each) => `${each.name} ${each.title} ${each.teaches} ${each.group} ${KINDS[each.kind]}`.toLowerCase().includes(word));
  const groups = [...new Set(shown.map((each) => each.group))];
  const open = async (name: string) => {
    closeDialog();
    if (await mayLeave()) await openGallery(name);
  };
  return (
    <Modal title="Gallery" size="large">
      <input type="search" class="filter is-wide" placeholder="Filter" aria-label="Filter the models" data-autofocus value={filter} onInput={(event) => setFilter(event.currentTarget.value)} />
      {!all.length && <p class="empty">There is no gallery here.</p>}
      {groups.map((group) => (
        <section key={group} class="gallery-group">
          <h3>{group}</h3>
          <ul class="cards">
            {shown.filter((each) => each.group === group).map((each) => (
              <li key={each.name}>
                <button type="button" class="card" aria-current={document_.value.gallery === each.name} onClick={() => void open(each.name)}>
                  <span class="card-title">{each.title}</span>
                  <span class="card-teaches">{each.teaches}</span>
                  <span class="card-foot"><span class="mono">{each.name.split("/").pop()!.replace(/\.ispl$/, "")}</span>{each.kind !== "finite" && <span class={`kind is-${each.kind}`}>{KINDS[each.kind]}</span>}</span>
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {all.length > 0 && !shown.length && <p class="empty">No model has “{filter}” in it.</p>}
    </Modal>
  );
}
