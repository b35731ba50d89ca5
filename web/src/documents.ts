// Which text is open: from the folder, from the gallery, or from nowhere; saved when told, and never over somebody else's changes.

import { batch, signal } from "@preact/signals";
import { RequestError, on, request } from "./rpc";
import {
  constants, dialog, document_, hello, isDirty, notify, ownFormulae, player, savedText, selection, text, visits, at,
  walkModel, type Document,
} from "./state";

/** Grows whenever another text is opened, as opposed to the same text being changed. */
export const edition = signal(0);
/** The file is another on disk than the one that was read; `version` is null where it is gone. */
export const changedOnDisk = signal<{ version: string | null } | null>(null);

export const EMPTY = `-- A lamp and somebody at its switch.

Agent Environment
  Obsvars:
    lit : boolean;
  end Obsvars
  Actions = { none };
  Protocol:
    Other : { none };
  end Protocol
  Evolution:
    lit = true if lit = false and Person.Action = press;
    lit = false if lit = true and Person.Action = press;
  end Evolution
end Agent

Agent Person
  Vars:
    asleep : boolean;
  end Vars
  Actions = { press, wait };
  Protocol:
    asleep = false : { press, wait };
    Other : { wait };
  end Protocol
  Evolution:
    asleep = false if Action = wait;
  end Evolution
end Agent

Evaluation
  light if Environment.lit = true;
end Evaluation

InitStates
  Environment.lit = false;
end InitStates

Formulae
  can_be_light : EF light;
  person_can : <Person>F light;
  stays_dark : AG !light expect false;
end Formulae
`;

/** Show another text, and forget what belonged to the one before. */
export function show(which: Document, content: string, saved = content): void {
  batch(() => {
    document_.value = which;
    text.value = content;
    savedText.value = saved;
    constants.value = {};
    ownFormulae.value = [];
    player.value = null;
    walkModel.value = null;
    visits.value = [];
    at.value = 0;
    selection.value = { line: null, agent: null, formula: null, state: null };
    changedOnDisk.value = null;
    edition.value += 1;
  });
}

/** Ask before changes are lost; go on where there are none, or where they may be. */
export function mayLeave(): Promise<boolean> {
  if (!isDirty.value) return Promise.resolve(true);
  return new Promise((resolve) => { dialog.value = { name: "leave", about: resolve }; });
}

export async function openFile(path: string): Promise<boolean> {
  return opening(async () => {
    const read = await request("files/read", { path });
    show({ name: read.path, path: read.path, gallery: null, version: read.version }, read.text);
  });
}

export async function openGallery(name: string): Promise<boolean> {
  return opening(async () => {
    const read = await request("gallery/read", { name });
    const file = /\.ispl$/.test(read.name) ? read.name : `${read.name}.ispl`;
    show({ name: file.split("/").pop() ?? file, path: null, gallery: name, version: null }, read.text);
  });
}

export function openNew(): void {
  show({ name: "untitled.ispl", path: null, gallery: null, version: null }, EMPTY);
}

async function opening(work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    complain("It cannot be opened", error);
    return false;
  }
}

export function complain(what: string, error: unknown): void {
  if (error instanceof RequestError && error.failure.kind === "cancelled") return;
  notify(`${what}: ${error instanceof Error ? error.message : String(error)}`, "error");
}

/** Save; where the file has changed meanwhile, show how, and let somebody choose. */
export async function save(): Promise<void> {
  const now = document_.value;
  if (now.path === null) {
    if (hello.value?.folder) dialog.value = { name: "save-as" };
    else downloadText();
    return;
  }
  await write(now.path, now.version);
}

/** Write the text into a file of the folder; `version` is what is expected to be there, null where nothing is. */
export async function write(path: string, version: string | null): Promise<boolean> {
  const content = text.value;
  try {
    const { version: written } = await request("files/write", { path, text: content, version });
    batch(() => {
      document_.value = { name: path, path, gallery: null, version: written };
      savedText.value = content;
      changedOnDisk.value = null;
    });
    notify(`Saved ${path}`);
    return true;
  } catch (error) {
    if (error instanceof RequestError && error.failure.kind === "conflict") {
      dialog.value = { name: "conflict", about: { path, version: error.failure.version ?? null } };
    } else complain("It was not saved", error);
    return false;
  }
}

/** Where there is no folder, the browser keeps the file. */
export function downloadText(): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text.value], { type: "text/plain" }));
  link.download = document_.value.name.split("/").pop() ?? "model.ispl";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  savedText.value = text.value;
}

/** Take over what is on disk; it can be undone. */
export async function reload(): Promise<void> {
  const path = document_.value.path;
  if (path === null) return;
  try {
    const read = await request("files/read", { path });
    batch(() => {
      document_.value = { ...document_.value, version: read.version };
      text.value = read.text;
      savedText.value = read.text;
      changedOnDisk.value = null;
    });
  } catch (error) {
    complain("It cannot be read", error);
  }
}

/** Keep the text that is here; saving asks once more. */
export function keepMine(): void {
  changedOnDisk.value = null;
}

export function watchFiles(): void {
  on("files/changed", ({ path, version }) => {
    const now = document_.value;
    if (path !== now.path || version === now.version) return;
    if (version !== null && !isDirty.value) void request("files/read", { path }).then((read) => {
      if (read.text === text.value) document_.value = { ...now, version: read.version };
      else changedOnDisk.value = { version };
    }).catch(() => { changedOnDisk.value = { version }; });
    else changedOnDisk.value = { version };
  });
  window.addEventListener("beforeunload", (event) => { if (isDirty.value) event.preventDefault(); });
}
