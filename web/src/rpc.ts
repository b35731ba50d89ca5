// The connection to the server: requests with answers, progress and cancelling; it comes back by itself when it is lost.

import { openSocket } from "./key";
import { connection } from "./state";
import type { Failure, Methods, Notifications } from "./protocol";

export class RequestError extends Error {
  constructor(message: string, readonly failure: Failure) { super(message); }
}

interface Waiting { resolve: (value: never) => void; reject: (error: Error) => void; onProgress?: (said: Notifications["progress"]) => void }

/** A request under way: its answer, and how to end it. */
export interface Asked<T> { answer: Promise<T>; cancel: () => void }

const waiting = new Map<number, Waiting>();
const listeners = new Map<string, Set<(params: never) => void>>();
const opens = new Set<() => void>();
let revive: ((model: string) => Promise<boolean>) | null = null;
let socket: WebSocket | null = null;
let lastId = 0;
let delay = 250;

export function connect(): void {
  const now = openSocket("/rpc");
  socket = now;
  now.onopen = () => {
    delay = 250;
    connection.value = "open";
    for (const each of opens) each();
  };
  now.onmessage = (event) => take(String(event.data));
  now.onclose = () => {
    if (socket !== now) return;
    socket = null;
    connection.value = "lost";
    for (const each of waiting.values()) each.reject(new RequestError("the connection was lost", { kind: "cancelled" }));
    waiting.clear();
    setTimeout(connect, delay);
    delay = Math.min(delay * 2, 4_000);
  };
}

/** Be called whenever there is a connection, the first time and after each loss. */
export function whenOpen(call: () => void): void {
  opens.add(call);
  if (connection.value === "open") call();
}

export function on<N extends keyof Notifications>(name: N, call: (params: Notifications[N]) => void): () => void {
  const some = listeners.get(name) ?? new Set();
  listeners.set(name, some);
  some.add(call as (params: never) => void);
  return () => some.delete(call as (params: never) => void);
}

/** Say how a model is opened again that the server does not know any more; the request is then made once more. */
export function whenForgotten(call: (model: string) => Promise<boolean>): void {
  revive = call;
}

export function ask<M extends keyof Methods>(
  method: M, params: Methods[M][0], onProgress?: (said: Notifications["progress"]) => void,
): Asked<Methods[M][1]> {
  let id = 0;
  let isCancelled = false;
  const send = () => new Promise<Methods[M][1]>((resolve, reject) => {
    if (socket?.readyState !== WebSocket.OPEN) {
      reject(new RequestError("there is no connection", { kind: "cancelled" }));
      return;
    }
    id = ++lastId;
    waiting.set(id, { resolve, reject, ...(onProgress ? { onProgress } : {}) });
    socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
  });
  const answer = send().catch(async (error: unknown) => {
    const model = (params as { model?: unknown }).model;
    const isForgotten = error instanceof RequestError && error.failure.kind === "unknown-model";
    if (isForgotten && !isCancelled && typeof model === "string" && await revive?.(model)) return send();
    throw error;
  });
  return { answer, cancel: () => {
    isCancelled = true;
    if (waiting.has(id)) socket?.send(JSON.stringify({ jsonrpc: "2.0", method: "cancel", params: { id } }));
  } };
}

/** The same where nobody wants to cancel it. */
export function request<M extends keyof Methods>(method: M, params: Methods[M][0]): Promise<Methods[M][1]> {
  return ask(method, params).answer;
}

function take(data: string): void {
  const message = JSON.parse(data);
  if (typeof message.method === "string") {
    if (message.method === "progress") waiting.get(message.params.id)?.onProgress?.(message.params);
    for (const call of listeners.get(message.method) ?? []) call(message.params as never);
    return;
  }
  const known = waiting.get(message.id);
  if (!known) return;
  waiting.delete(message.id);
  if (message.error) known.reject(new RequestError(message.error.message, message.error.data ?? { kind: "bug" }));
  else known.resolve(message.result as never);
}
