// Files of the folder: to open one, to save under a name, and to ask before changes are lost.

import { useEffect, useState } from "preact/hooks";
import { downloadText, mayLeave, openFile, openNew, save, show, write } from "../documents";
import type { FileItem } from "../protocol";
import { request } from "../rpc";
import { dialog, document_, hello, isDirty } from "../state";
import { wordsOf } from "../checking";
import { Modal, closeDialog } from "./modal";

export function Files() {
  const [files, setFiles] = useState<{ files: FileItem[]; cut: boolean } | null>(null);
  const [failure, setFailure] = useState("");
  const [filter, setFilter] = useState("");
  const folder = hello.value?.folder ?? null;
  useEffect(() => {
    if (folder === null) return;
    request("files/list", {}).then(setFiles, (error: unknown) => setFailure(wordsOf(error)));
  }, []);
  const open = async (path: string) => { closeDialog(); if (await mayLeave()) await openFile(path); };
  const upload = async (file: File | undefined) => {
    if (!file) return;
    const content = await file.text();
    closeDialog();
    if (await mayLeave()) show({ name: file.name, path: null, gallery: null, version: null }, content);
  };
  const shown = files?.files.filter((each) => each.path.toLowerCase().includes(filter.trim().toLowerCase())) ?? [];
  return (
    <Modal title={folder === null ? "Open" : `Open from ${folder}`}>
      <div class="dialog-row">
        {folder !== null && <input type="search" class="filter grow" placeholder="Filter" aria-label="Filter the files" data-autofocus value={filter} onInput={(event) => setFilter(event.currentTarget.value)}
          onKeyDown={(event) => { if (event.key === "Enter" && shown[0]) void open(shown[0].path); }} />}
        <button type="button" class="button" onClick={() => { closeDialog(); void mayLeave().then((may) => { if (may) openNew(); }); }}>New model</button>
        <label class="button is-file">From this computer …<input type="file" accept=".ispl,.pmas,text/plain" onChange={(event) => void upload(event.currentTarget.files?.[0])} /></label>
        <button type="button" class="button" onClick={() => { dialog.value = { name: "gallery" }; }}>Gallery</button>
      </div>
      {folder === null && <p class="empty">No folder is open: <code>gnomon studio FOLDER</code> opens one.</p>}
      {failure && <p class="failure" role="alert">{failure}</p>}
      {folder !== null && !files && !failure && <p class="empty">Looking …</p>}
      {files && !files.files.length && <p class="empty">There are no models in this folder yet.</p>}
      <ul class="files">
        {shown.map((each) => (
          <li key={each.path}>
            <button type="button" class="file" aria-current={document_.value.path === each.path} onClick={() => void open(each.path)}><span class="mono">{each.path}</span><span class="quiet">{size(each.bytes)}</span></button>
          </li>
        ))}
      </ul>
      {files?.cut && <p class="quiet">There are more files than these.</p>}
    </Modal>
  );
}

function size(bytes: number): string {
  return bytes < 1_000 ? `${bytes} B` : bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

export function SaveAs() {
  const [name, setName] = useState(document_.value.name.split("/").pop() ?? "model.ispl");
  const submit = async (event: Event) => {
    event.preventDefault();
    const path = /\.\w+$/.test(name.trim()) ? name.trim() : `${name.trim()}.ispl`;
    closeDialog();
    await write(path, null);
  };
  return (
    <Modal title={`Save into ${hello.value?.folder ?? "the folder"}`} size="small">
      <form class="form" onSubmit={(event) => void submit(event)}>
        <label class="field"><span>Name</span><input class="mono" data-autofocus required spellcheck={false} value={name} onInput={(event) => setName(event.currentTarget.value)} /></label>
        <div class="dialog-buttons">
          <button type="button" class="button" onClick={() => { downloadText(); closeDialog(); }}>Download instead</button>
          <span class="grow" />
          <button type="submit" class="button is-primary" disabled={!name.trim()}>Save</button>
        </div>
      </form>
    </Modal>
  );
}

export function Leave({ about }: { about: (may: boolean) => void }) {
  const answer = (may: boolean) => { closeDialog(); about(may); };
  const saveFirst = async () => { closeDialog(); await save(); about(!isDirty.value); };
  return (
    <Modal title="Not saved" size="small" onClose={() => answer(false)}>
      <p>{document_.value.name} has changes that are not saved.</p>
      <div class="dialog-buttons">
        <button type="button" class="button" onClick={() => answer(true)}>Leave the changes</button>
        <span class="grow" />
        <button type="button" class="button" onClick={() => answer(false)}>Stay here</button>
        {document_.value.path !== null && <button type="button" class="button is-primary" data-autofocus onClick={() => void saveFirst()}>Save first</button>}
      </div>
    </Modal>
  );
}
