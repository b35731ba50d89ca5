// What is opened first: what the link says, or the file that was named, or a model of the gallery.

import { edition, openFile, openGallery, openNew } from "./documents";
import { fromHash, isOwnHash, keepInHash, restore } from "./permalink";
import { request, whenOpen } from "./rpc";
import { dialog, hello, notify } from "./state";

/** The first model for somebody who named none. */
const FIRST = "bit_transmission.ispl";

export function start(): void {
  let isFirst = true;
  whenOpen(() => {
    void request("hello", {}).then(async (said) => {
      hello.value = said;
      if (!isFirst) return;
      isFirst = false;
      await openFirst();
      keepInHash();
    }).catch((error: unknown) => notify(error instanceof Error ? error.message : String(error), "error"));
  });
  // A link that is pasted into the same page.
  window.addEventListener("hashchange", () => { if (!isOwnHash()) void openLink(); });
}

async function openLink(): Promise<boolean> {
  const kept = await fromHash();
  return kept !== null && await restore(kept);
}

async function openFirst(): Promise<void> {
  if (await openLink()) return;
  const named = new URLSearchParams(location.search).get("open");
  const said = hello.value;
  if (named !== null && said) {
    const item = said.gallery.find((each) => each.name === named || each.name === `${named}.ispl`);
    if (item ? await openGallery(item.name) : await openFile(named)) return;
  }
  if (said?.opened && await openFile(said.opened)) return;
  const first = said?.gallery.find((each) => each.name === FIRST) ?? said?.gallery[0];
  if (first && !said?.folder && await openGallery(first.name)) return;
  if (edition.value === 0) {
    if (said?.folder) { if (!first || !await openGallery(first.name)) openNew(); dialog.value = { name: "files" }; }
    else openNew();
  }
}
