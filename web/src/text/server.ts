// The language server behind the text: a connection of its own for each page, and a new client after a loss.

import { signal } from "@preact/signals";
import type { Extension } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { setDiagnostics, type Diagnostic } from "@codemirror/lint";
import {
  LSPClient, LSPPlugin, findReferencesKeymap, formatKeymap, hoverTooltips, jumpToDefinitionKeymap, renameKeymap, serverCompletion,
  signatureHelp, type LSPClientExtension, type Transport,
} from "@codemirror/lsp-client";
import type * as lsp from "vscode-languageserver-protocol";
import { openSocket } from "../key";
import { notify } from "../state";
import { ispl } from "./ispl";
import { sanitizeHTML } from "./sanitize";

/** The client of the connection that there is. */
export const client = signal<LSPClient | null>(null);

let delay = 250;

export function connectLanguage(): void {
  const socket = openSocket("/lsp");
  const transport = new SocketTransport(socket);
  socket.onopen = () => {
    delay = 250;
    client.value = newClient().connect(transport);
  };
  socket.onmessage = (event) => transport.take(String(event.data));
  socket.onclose = () => {
    client.value = null;
    transport.end();
    setTimeout(connectLanguage, delay);
    delay = Math.min(delay * 2, 4_000);
  };
}

/** Cancelled, by us or by the server, or about a text that has changed since: nothing that anybody need hear of. */
const NO_LONGER_WANTED = new Set([-32800, -32801, -32802]);

/** Text frames; who waits for an answer that is lost or no longer wanted gets an empty one, and no error that nobody asked for. */
class SocketTransport implements Transport {
  private readonly handlers = new Set<(value: string) => void>();
  private readonly asked = new Map<number, string>();
  constructor(private readonly socket: WebSocket) {}

  send(message: string): void {
    const { id, method } = JSON.parse(message);
    if (method !== undefined && id !== undefined) this.asked.set(id, method);
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(message);
    else if (this.asked.has(id)) queueMicrotask(() => this.end());
  }
  subscribe(handler: (value: string) => void): void { this.handlers.add(handler); }
  unsubscribe(handler: (value: string) => void): void { this.handlers.delete(handler); }

  take(message: string): void {
    const { id, method, error } = JSON.parse(message);
    if (method === undefined && !this.asked.delete(id)) return;
    const told = NO_LONGER_WANTED.has(error?.code) ? empty(id) : message;
    for (const handler of this.handlers) handler(told);
  }
  end(): void {
    for (const [id, method] of [...this.asked]) {
      this.take(empty(id, method === "initialize" ? { capabilities: {} } : null));
    }
  }
}

function empty(id: number, result: object | null = null): string {
  return JSON.stringify({ jsonrpc: "2.0", id, result });
}

function newClient(): LSPClient {
  return new LSPClient({
    timeout: 20_000,
    sanitizeHTML,
    highlightLanguage: (name) => name === "ispl" || name === "gnomon" ? ispl : null,
    initializationOptions: { settings: { lenses: false, hints: false } },
    notificationHandlers: {
      "window/logMessage": () => true,
      "window/showMessage": (_client, params: lsp.ShowMessageParams) => { notify(params.message, params.type === 1 ? "error" : "info"); return true; },
    },
    extensions: [
      serverCompletion(),
      hoverTooltips({ hoverTime: 350 }),
      keymap.of([...formatKeymap, ...renameKeymap, ...jumpToDefinitionKeymap, ...findReferencesKeymap]),
      signatureHelp(),
      diagnostics,
    ],
  });
}

/** What the text is called there; nothing is read from such a place. */
export function uriOf(name: string): string {
  return `studio:/${name.split("/").map(encodeURIComponent).join("/")}`;
}

// The library waits half a second before it tells of a change, and shows nothing but the message.

let syncing: ReturnType<typeof setTimeout> | undefined;
const syncSoon: Extension = EditorView.updateListener.of((update) => {
  if (!update.docChanged) return;
  clearTimeout(syncing);
  syncing = setTimeout(() => LSPPlugin.get(update.view)?.client.sync(), 120);
});

const SEVERITIES = ["error", "error", "warning", "info", "hint"] as const;

const diagnostics: LSPClientExtension = {
  clientCapabilities: { textDocument: { publishDiagnostics: { versionSupport: true, relatedInformation: true } } },
  notificationHandlers: {
    "textDocument/publishDiagnostics": (from, params: lsp.PublishDiagnosticsParams) => {
      const file = from.workspace.getFile(params.uri);
      if (!file || (params.version != null && params.version !== file.version)) return true;
      const view = file.getView();
      const plugin = view && LSPPlugin.get(view);
      if (!view || !plugin) return true;
      const place = (position: lsp.Position) => {
        const lines = plugin.syncedDoc.lines;
        const inside = { line: Math.min(position.line, lines - 1), character: position.character };
        const end = plugin.syncedDoc.line(inside.line + 1);
        return plugin.unsyncedChanges.mapPos(Math.min(end.from + inside.character, end.to));
      };
      const shown = params.diagnostics.map((item): Diagnostic => ({
        from: place(item.range.start), to: Math.max(place(item.range.start), place(item.range.end)),
        severity: SEVERITIES[item.severity ?? 1] ?? "error",
        message: typeof item.message === "string" ? item.message : String(item.message),
        ...(item.code === undefined ? {} : { source: String(item.code) }),
        renderMessage: () => messageOf(item),
      }));
      view.dispatch(setDiagnostics(view.state, shown));
      return true;
    },
  },
  editorExtension: syncSoon,
};

function messageOf(item: lsp.Diagnostic): Node {
  const box = document.createElement("div");
  box.className = "diagnostic";
  const message = typeof item.message === "string" ? item.message : String(item.message);
  const [first, ...rest] = message.split("\n");
  box.append(line("diagnostic-first", first ?? ""), ...rest.map((each) => line("diagnostic-note", each)));
  for (const related of item.relatedInformation ?? []) {
    box.append(line("diagnostic-note", `line ${related.location.range.start.line + 1}: ${related.message}`));
  }
  return box;
}

function line(className: string, text: string): HTMLElement {
  const made = document.createElement("div");
  made.className = className;
  made.textContent = text;
  return made;
}
