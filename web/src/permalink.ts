// The whole state of the page in its address: what is opened from such a link is what was there.

import { batch, effect, signal } from "@preact/signals";
import { show } from "./documents";
import { evidenceOf, play } from "./playing";
import { request } from "./rpc";
import { rows } from "./standing";
import {
  at, constants, document_, found, isDirty, kept, notify, ownFormulae, player, playerAt, playerPath, sanityWanted, selectedIn, selection, shownPanes,
  strategies, text, verdictKey, visits, walkModel, PANES, type Pane, type Selection,
} from "./state";

/** Longer links are cut by programs that pass them on. */
export const LONGEST = 60_000;
const VERSION = 1;

interface Kept {
  v: number;
  /** Where the text comes from, and what it was then; `text` is there where it is another by now, or has no file. */
  name: string; path?: string; gallery?: string; digest: string; text?: string;
  constants?: Record<string, number>; strategies?: string; own?: string[]; panes?: Pane[]; selection?: Selection; sanity?: { deadlock: boolean; overflow: boolean };
  walk?: { at: number; visits: [number | null, unknown, unknown, string | null][] };
  player?: { label: string; path: number[]; at: number };
  more?: Record<string, unknown>;
}

export const link = signal("");
/** Why there is no link; "" where there is one. */
export const linkFailure = signal("");
let ownHash = "";

export function isOwnHash(): boolean {
  return location.hash.slice(1) === ownHash;
}

// ---------------------------------------------------------------------------------------------- writing

async function collect(): Promise<Kept> {
  const { name, path, gallery } = document_.value;
  const isHeldElsewhere = (path !== null || gallery !== null) && !isDirty.value;
  const plain = Object.fromEntries([...kept].map(([key, value]) => [key, value.value]));
  return {
    v: VERSION, name, digest: await digest(text.value),
    ...(path !== null ? { path } : {}), ...(gallery !== null ? { gallery } : {}),
    // A file may be gone when the link is opened: its text is kept, too. Models of the gallery stay.
    ...(gallery !== null && isHeldElsewhere ? {} : { text: text.value }),
    ...(Object.keys(constants.value).length ? { constants: constants.value } : {}),
    strategies: strategies.value,
    ...(ownFormulae.value.length ? { own: [...ownFormulae.value] } : {}),
    panes: [...shownPanes.value], selection: selection.value, sanity: sanityWanted.value,
    ...(visits.value.length > 1 || visits.value[0]?.bookmark || walkModel.value?.population ? { walk: { at: at.value, visits: visits.value.map((each) => [each.parent, each.step.actions, each.step.state, each.bookmark] as [number | null, unknown, unknown, string | null]) } } : {}),
    ...(player.value ? { player: { label: player.value.label, path: [...playerPath.value], at: playerAt.value } } : {}),
    more: plain,
  };
}

let soon: ReturnType<typeof setTimeout> | undefined;

/** From now on, keep the state in the address. */
export function keepInHash(): void {
  effect(() => {
    // All that is kept is read here, so that this is called whenever some of it changes.
    void [text.value, document_.value, isDirty.value, constants.value, strategies.value, ownFormulae.value, shownPanes.value, selection.value, sanityWanted.value, visits.value, at.value, player.value, playerPath.value, playerAt.value];
    for (const each of kept.values()) void each.value;
    clearTimeout(soon);
    soon = setTimeout(() => void writeHash(), 400);
  });
}

export async function writeHash(): Promise<void> {
  const packed = await pack(await collect());
  if (packed.length > LONGEST) {
    linkFailure.value = `The state is too large for a link: ${Math.round(packed.length / 1000)} kB, and ${LONGEST / 1000} kB is the most. Save the page instead.`;
    link.value = "";
    ownHash = "";
    history.replaceState(null, "", location.pathname);
    return;
  }
  linkFailure.value = "";
  ownHash = packed;
  link.value = `${location.origin}/#${packed}`;
  history.replaceState(null, "", `${location.pathname}#${packed}`);
}

// ---------------------------------------------------------------------------------------------- reading

export async function fromHash(): Promise<Kept | null> {
  const hash = location.hash.slice(1);
  if (!hash) return null;
  try {
    const found = await unpack(hash);
    if (found.v === VERSION && typeof found.name === "string") return found;
  } catch { /* told below */ }
  notify("This link cannot be read: it was cut, or it comes from elsewhere.", "error");
  return null;
}

/** Show what was kept; what the text, the walk and the player were is checked again by the server. */
export async function restore(from: Kept): Promise<boolean> {
  const content = await textOf(from);
  if (content === null) {
    notify(`The link is about ${from.name}, which is not here.`, "error");
    return false;
  }
  batch(() => {
    show({ name: from.name, path: content.version === null ? null : from.path ?? null, gallery: from.gallery ?? null, version: content.version }, content.text, content.saved);
    if (from.constants && typeof from.constants === "object") constants.value = from.constants;
    if (typeof from.strategies === "string") strategies.value = from.strategies;
    if (Array.isArray(from.own)) ownFormulae.value = from.own.filter((each) => typeof each === "string");
    const panes = (Array.isArray(from.panes) ? from.panes : []).filter((each) => PANES.includes(each));
    if (panes.length) shownPanes.value = new Set(panes);
    if (from.sanity) sanityWanted.value = { deadlock: from.sanity.deadlock === true, overflow: from.sanity.overflow === true };
    if (from.selection) { selection.value = { ...selection.value, ...from.selection }; selectedIn.value = "verdicts"; }
    for (const [key, value] of Object.entries(from.more ?? {})) {
      const holder = kept.get(key);
      if (holder) holder.value = fitting(holder.value, value);
    }
    restoreWalk(from);
  });
  restorePlayer(from);
  return true;
}

/** What was kept, as far as it is of the same kind as what is there; links may be forged, and may be old. */
function fitting(now: unknown, then: unknown): unknown {
  if (now === null) return ["string", "boolean", "number"].includes(typeof then) ? then : null;
  if (then === null || typeof then !== typeof now || Array.isArray(then) !== Array.isArray(now)) return now;
  if (typeof now !== "object" || Array.isArray(now)) return then;
  const parts = Object.entries(then as object).filter(([key, value]) => key in now && typeof value === typeof now[key as never] && Array.isArray(value) === Array.isArray(now[key as never]));
  return { ...now, ...Object.fromEntries(parts) };
}

async function textOf(from: Kept): Promise<{ text: string; saved: string; version: string | null } | null> {
  const whole = typeof from.text === "string" ? from.text : null;
  try {
    if (from.path !== undefined) {
      const read = await request("files/read", { path: from.path });
      if (whole === null || whole === read.text) return { text: read.text, saved: read.text, version: read.version };
      return { text: whole, saved: read.text, version: read.version };
    }
    if (from.gallery !== undefined) {
      const read = await request("gallery/read", { name: from.gallery });
      if (whole === null && await digest(read.text) !== from.digest) notify(`${from.name} is another by now than when the link was made.`);
      return { text: whole ?? read.text, saved: read.text, version: null };
    }
  } catch { /* the text may be in the link */ }
  return whole === null ? null : { text: whole, saved: from.path === undefined && from.gallery === undefined ? whole : "", version: null };
}

/** The steps are replayed as soon as the model is there, and what is none of its steps is left out. */
function restoreWalk(from: Kept): void {
  const walk = from.walk;
  if (!walk || !Array.isArray(walk.visits)) return;
  const isTree = walk.visits.every((each, id) => Array.isArray(each) && (each[0] === null || (Number.isInteger(each[0]) && (each[0] as number) >= 0 && (each[0] as number) < id)));
  if (!isTree) return;
  visits.value = walk.visits.map(([parent, actions, state, bookmark], id) => ({ id, parent, step: { state, actions, lines: {} } as never, bookmark: typeof bookmark === "string" ? bookmark : null }));
  at.value = Number.isInteger(walk.at) && walk.at >= 0 && walk.at < visits.value.length ? walk.at : 0;
}

function restorePlayer(from: Kept): void {
  const wanted = from.player;
  if (!wanted || typeof wanted.label !== "string") return;
  const mine = text.peek();
  const end = effect(() => {
    const row = rows().find((each) => each.label === wanted.label);
    const isKnown = row && found.value.get(verdictKey(row, strategies.value));
    if (text.value !== mine) { queueMicrotask(() => end()); return; }
    if (!row || !isKnown) return;
    queueMicrotask(() => {
      end();
      if (!evidenceOf(isKnown)) return;
      play(row);
      if (Array.isArray(wanted.path)) playerPath.value = wanted.path.filter(Number.isInteger);
      if (Number.isInteger(wanted.at)) playerAt.value = wanted.at;
    });
  });
}

// ---------------------------------------------------------------------------------------------- packing

async function digest(content: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(content)));
  return [...bytes.slice(0, 8)].map((each) => each.toString(16).padStart(2, "0")).join("");
}

export async function pack(data: unknown): Promise<string> {
  const stream = new Blob([JSON.stringify(data)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let binary = "";
  for (let from = 0; from < bytes.length; from += 0x8000) binary += String.fromCharCode(...bytes.subarray(from, from + 0x8000));
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** More than this is no link of ours: it would only fill the memory. */
const MOST_BYTES = 8_000_000;

async function unpack(packed: string): Promise<Kept> {
  const binary = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (each) => each.charCodeAt(0));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.length;
    if (size > MOST_BYTES) throw new Error("too large");
    parts.push(next.value);
  }
  return JSON.parse(await new Blob(parts as BlobPart[]).text());
}
