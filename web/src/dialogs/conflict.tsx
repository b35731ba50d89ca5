// The file is another on disk than the one that was read: show how, and let somebody choose.

import { useEffect, useState } from "preact/hooks";
import { batch } from "@preact/signals";
import { changedOnDisk, write } from "../documents";
import { request } from "../rpc";
import { document_, savedText, text } from "../state";
import { wordsOf } from "../checking";
import { difference, near } from "./difference";
import { Modal, closeDialog } from "./modal";

const SIGNS = { same: " ", theirs: "−", mine: "+" } as const;

export function Conflict({ about }: { about: { path: string; version: string | null } }) {
  const [disk, setDisk] = useState<{ text: string; version: string | null } | null>(null);
  const [failure, setFailure] = useState("");
  useEffect(() => {
    if (about.version === null) { setDisk({ text: "", version: null }); return; }
    request("files/read", { path: about.path }).then(setDisk, (error: unknown) => setFailure(wordsOf(error)));
  }, []);
  const take = () => {
    batch(() => {
      document_.value = { name: about.path, path: about.path, gallery: null, version: disk!.version };
      text.value = disk!.text;
      savedText.value = disk!.text;
      changedOnDisk.value = null;
    });
    closeDialog();
  };
  const overwrite = async () => { closeDialog(); await write(about.path, disk!.version); };
  const lines = disk ? near(difference(disk.text, text.value)) : [];
  return (
    <Modal title={about.version === null ? `${about.path} is gone from disk` : `${about.path} is another on disk`} size="large">
      {failure && <p class="failure" role="alert">{failure}</p>}
      {about.version !== null && <p>Nothing was saved. <span class="diff-word is-theirs">−&nbsp;on disk</span> <span class="diff-word is-mine">+&nbsp;here</span></p>}
      {disk && about.version !== null && (
        <pre class="diff" tabIndex={0} aria-label="Difference">
          {lines.length === 0 && "There is no difference."}
          {lines.map((line, at) => line === null ? <span key={at} class="diff-gap">⋯{"\n"}</span> : <span key={at} class={`diff-line is-${line.kind}`}>{SIGNS[line.kind]} {line.text}{"\n"}</span>)}
        </pre>
      )}
      <div class="dialog-buttons">
        {about.version !== null && <button type="button" class="button" disabled={!disk} onClick={take}>Take what is on disk</button>}
        <span class="grow" />
        <button type="button" class="button" data-autofocus onClick={closeDialog}>Decide later</button>
        <button type="button" class={`button${about.version === null ? " is-primary" : ""}`} disabled={!disk} onClick={() => void overwrite()}>{about.version === null ? "Write it again" : "Overwrite it with mine"}</button>
      </div>
    </Modal>
  );
}
