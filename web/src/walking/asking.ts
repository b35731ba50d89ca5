// Questions of a view: the newest one counts, older ones are called off, and what went wrong is said in words.

import { useEffect, useRef, useState } from "preact/hooks";
import type { Methods, ModelId, Opened } from "../protocol";
import { connection } from "../state";
import { ask, RequestError, type Asked } from "../rpc";

export interface Answered<T> { data: T | null; error: string; busy: boolean }

/** Populations that were made here, so that they can be made again where they are forgotten. */
const populations = new Map<ModelId, { base: ModelId; population: Record<string, number> }>();

export async function populated(base: ModelId, population: Record<string, number>): Promise<Opened> {
  const opened = await ask("model/populate", { model: base, population }).answer;
  rememberPopulation(opened, base);
  return opened;
}

export function rememberPopulation(opened: Opened, base: ModelId): void {
  if (opened.population) populations.set(opened.model, { base, population: opened.population });
}

/** Ask once; a population that is forgotten is made again. */
export function asked<M extends keyof Methods>(method: M, params: Methods[M][0]): Promise<Methods[M][1]> {
  return asking(method, params).answer;
}

export function asking<M extends keyof Methods>(method: M, params: Methods[M][0]): Asked<Methods[M][1]> {
  let now = ask(method, params);
  let isOver = false;
  const answer = now.answer.catch(async (error: unknown) => {
    const model = modelOf(params);
    const known = model === null ? undefined : populations.get(model);
    if (isOver || !known || !(error instanceof RequestError) || error.failure.kind !== "unknown-model") throw error;
    await populated(known.base, known.population);
    now = ask(method, params);
    return now.answer;
  });
  return { answer, cancel: () => { isOver = true; now.cancel(); } };
}

function modelOf(params: unknown): string | null {
  const holder = params as { model?: unknown; params?: unknown };
  if (typeof holder.model === "string") return holder.model;
  return holder.params && typeof holder.params === "object" ? modelOf(holder.params) : null;
}

export function wordsOf(error: unknown): string {
  if (error instanceof RequestError) {
    const more = error.failure.diagnostics?.map((each) => each.help).filter(Boolean).join("; ");
    return more ? `${error.message} (${more})` : error.message;
  }
  return error instanceof Error ? error.message : String(error);
}

/** The answer to a question that changes; null asks nothing. What was answered before stays until the next answer is there. */
export function useAnswer<M extends keyof Methods>(method: M, params: Methods[M][0] | null, wait = 0): Answered<Methods[M][1]> {
  const key = params === null ? null : JSON.stringify(params);
  const [state, setState] = useState<Answered<Methods[M][1]>>({ data: null, error: "", busy: key !== null });
  const isOpen = connection.value === "open";
  const last = useRef<string | null>(null);
  useEffect(() => {
    if (key === null || params === null) { last.current = null; setState({ data: null, error: "", busy: false }); return; }
    if (!isOpen || last.current === key) return;
    let isOver = false;
    let under: Asked<Methods[M][1]> | null = null;
    setState((before) => ({ ...before, busy: true }));
    const timer = setTimeout(() => {
      under = asking(method, params);
      under.answer.then(
        (data) => { if (!isOver) { last.current = key; setState({ data, error: "", busy: false }); } },
        (error: unknown) => {
          if (isOver) return;
          // A connection that is lost comes back, and then it is asked again.
          const isLost = connection.value !== "open";
          last.current = isLost ? null : key;
          setState((before) => (isLost ? { ...before, busy: true } : { data: null, error: wordsOf(error), busy: false }));
        },
      ).finally(() => { under = null; });
    }, wait);
    return () => { isOver = true; clearTimeout(timer); under?.cancel(); };
  }, [method, key, isOpen]);
  return state;
}
