// To keep it, or to pass it on: a link, a page that needs no server, pictures.

import { useEffect, useState } from "preact/hooks";
import { wordsOf } from "../checking";
import { link, linkFailure, writeHash } from "../permalink";
import { graphParams } from "../pictures/settings";
import { download, SaveMenu } from "../pictures/saving";
import { request } from "../rpc";
import { notify, runTo, strategies, usable, visits, at, pathTo } from "../state";
import { rows, standingOf } from "../standing";
import { copy } from "./explain";
import { Modal } from "./modal";

export function Share() {
  const [notes, setNotes] = useState("");
  const [isBusy, setBusy] = useState(false);
  useEffect(() => { void writeHash(); }, []);
  const model = usable.value;
  const page = async () => {
    if (!model) return;
    setBusy(true);
    try {
      const verdicts = rows().map((row) => standingOf(row).found).filter((each) => each !== null).map((each) => ({ data: each.data, story: each.story?.text ?? "" }));
      const answer = await request("export/page", { model: model.model, strategies: strategies.value, verdicts, walks: walks(), graph: graphParams.value, notes });
      download(new Blob([answer.text], { type: "text/html" }), answer.name);
    } catch (error) {
      notify(`The page cannot be made: ${wordsOf(error)}`, "error");
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal title="Share">
      <section class="share-part">
        <h3>A link</h3>
        <p class="quiet">It holds the text, constants, formulae of your own, the walk and what is shown; it opens wherever Gnomon's studio runs at this address.</p>
        {linkFailure.value ? <p class="failure" role="alert">{linkFailure.value}</p> : (
          <div class="dialog-row">
            <input class="mono grow" readOnly aria-label="Link" value={link.value} onFocus={(event) => event.currentTarget.select()} />
            <button type="button" class="button is-primary" data-autofocus disabled={!link.value} onClick={() => void copy(link.value)}>Copy</button>
          </div>
        )}
        <p class="quiet">{link.value ? `${(link.value.length / 1000).toFixed(1)} kB` : ""}</p>
      </section>
      <section class="share-part">
        <h3>A page</h3>
        <p class="quiet">One HTML file with verdicts, stories and walks, which works without a server.</p>
        <label class="field"><span>Notes</span><textarea rows={2} value={notes} onInput={(event) => setNotes(event.currentTarget.value)} /></label>
        <button type="button" class="button" disabled={!model || isBusy} onClick={() => void page()}>{isBusy ? "Making it …" : "Download the page"}</button>
      </section>
      <section class="share-part">
        <h3>Pictures</h3>
        {!model && <p class="quiet">There is no model yet.</p>}
        <div class="dialog-row">
          {model && <span class="share-picture">Who reads whom <SaveMenu exported={{ what: "reads", params: { model: model.model } }} /></span>}
          {graphParams.value && <span class="share-picture">States <SaveMenu exported={{ what: "graph", params: graphParams.value }} /></span>}
        </div>
      </section>
    </Modal>
  );
}

/** The walk to where we are, and those to bookmarks. */
function walks(): { title: string; run: ReturnType<typeof runTo> }[] {
  const all = visits.value;
  if (all.length < 2) return [];
  const marked = all.filter((each) => each.bookmark !== null && each.id !== at.value);
  return [{ title: `A walk of ${pathTo(at.value).length - 1} steps`, run: runTo(at.value) }, ...marked.map((each) => ({ title: each.bookmark!, run: runTo(each.id) }))];
}
