// What is behind a verdict, as a story, and in the formats of `gnomon explain-verdict`.

import { useEffect, useState } from "preact/hooks";
import { wordsOf } from "../checking";
import { download } from "../pictures/saving";
import { play } from "../playing";
import type { TextAnswer } from "../protocol";
import { ask } from "../rpc";
import { notify, strategies, usable } from "../state";
import { rows, standingOf } from "../standing";
import { Modal, closeDialog } from "./modal";

const FORMATS: readonly (readonly [string, string])[] = [
  ["text", "Text"], ["svg", "SVG"], ["html", "Page"], ["tikz", "TikZ"], ["dot", "DOT"], ["mermaid", "Mermaid"], ["itf", "ITF"], ["json", "JSON"],
];

export function Story({ about }: { about: string }) {
  const row = rows().find((each) => each.label === about);
  const found = row ? standingOf(row).found : null;
  if (!row || !found?.story) return null;
  return (
    <Modal title={found.story.title || row.label} size="medium">
      <pre class="story" tabIndex={0} aria-label="Story">{found.story.text}</pre>
      <div class="dialog-buttons">
        <button type="button" class="button" onClick={() => void copy(found.story!.text)}>Copy</button>
        <span class="grow" />
        {found.data.evidence && <button type="button" class="button is-primary" data-autofocus onClick={() => { closeDialog(); play(row); }}>Play it</button>}
      </div>
    </Modal>
  );
}

export async function copy(words: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(words);
    notify("Copied");
  } catch {
    notify("The browser does not let this page copy", "error");
  }
}

export function Explain({ about }: { about: string }) {
  const row = rows().find((each) => each.label === about);
  const [format, setFormat] = useState("text");
  const [answer, setAnswer] = useState<TextAnswer | null>(null);
  const [failure, setFailure] = useState("");
  useEffect(() => {
    const model = usable.peek();
    if (!row || !model) return;
    setAnswer(null);
    setFailure("");
    const asked = ask("model/explain", { model: model.model, formula: row.text, strategies: strategies.peek(), format });
    let isOver = false;
    asked.answer.then((said) => { if (!isOver) setAnswer(said); }, (error: unknown) => { if (!isOver) setFailure(wordsOf(error)); });
    return () => { isOver = true; asked.cancel(); };
  }, [format]);
  if (!row) return null;
  return (
    <Modal title={`Why ${row.own ? "it" : row.label} is ${standingOf(row).word}`} size="large">
      <p class="mono quiet">{row.text}</p>
      <div class="segments" role="group" aria-label="Format">
        {FORMATS.map(([name, words]) => <button type="button" key={name} class="segment" aria-pressed={name === format} onClick={() => setFormat(name)}>{words}</button>)}
      </div>
      {failure && <p class="failure" role="alert">{failure}</p>}
      {!answer && !failure && <p class="empty" role="status">Explaining …</p>}
      {answer && (format === "svg"
        ? <div class="picture-frame" tabIndex={0} role="group" aria-label="Picture"><img class="picture" alt={`Evidence for ${row.label}`} src={`data:image/svg+xml;charset=utf-8,${encodeURIComponent(answer.text)}`} /></div>
        : <pre class="story" tabIndex={0} aria-label={`As ${format}`}>{format === "html" ? shorten(answer.text) : answer.text}</pre>)}
      <div class="dialog-buttons">
        <button type="button" class="button" disabled={!answer} onClick={() => void copy(answer!.text)}>Copy</button>
        <span class="grow" />
        <button type="button" class="button is-primary" disabled={!answer} onClick={() => download(new Blob([answer!.text], { type: "text/plain" }), answer!.name)}>Download {answer?.name ?? ""}</button>
      </div>
    </Modal>
  );
}

function shorten(words: string): string {
  return words.length > 20_000 ? `${words.slice(0, 20_000)}\n… (all of it is in the download)` : words;
}
