/** The entry for VS Code in a browser, where no program can be started: a web socket leads to a server on this machine. */

import * as vscode from "vscode";
import {
  AbstractMessageReader,
  AbstractMessageWriter,
  BaseLanguageClient,
  CloseAction,
  ErrorAction,
  State,
  type DataCallback,
  type Disposable,
  type LanguageClientOptions,
  type Message,
  type MessageReader,
  type MessageTransports,
  type MessageWriter,
} from "vscode-languageclient/browser";
import { localAddress } from "./address";
import { begin } from "./extension";
import type { Session } from "./session";

const PATIENCE = 10_000;

/** Reads messages, one a text frame. */
class SocketReader extends AbstractMessageReader implements MessageReader {
  constructor(private readonly socket: WebSocket) {
    super();
    socket.addEventListener("close", () => this.fireClose());
    socket.addEventListener("error", () => this.fireError(new Error("the web socket failed")));
  }

  listen(callback: DataCallback): Disposable {
    const hear = ({ data }: MessageEvent): void => callback(JSON.parse(String(data)) as Message);
    this.socket.addEventListener("message", hear);
    return { dispose: () => this.socket.removeEventListener("message", hear) };
  }
}

class SocketWriter extends AbstractMessageWriter implements MessageWriter {
  constructor(private readonly socket: WebSocket) {
    super();
  }

  async write(message: Message): Promise<void> {
    this.socket.send(JSON.stringify(message));
  }

  end(): void {
    this.socket.close();
  }
}

class SocketClient extends BaseLanguageClient {
  constructor(private readonly address: string, options: LanguageClientOptions) {
    super("gnomon", "Gnomon", options);
  }

  /** Whether there is a server, or none any more, is told by us, and once. */
  override error(message: string, data?: unknown, show: boolean | "force" = true): void {
    super.error(message, data, show === true && this.state === State.Running);
  }

  /** A server that did not get to its feet cannot be asked to end. */
  override stop(timeout?: number): Promise<void> {
    return this.state === State.Starting ? Promise.resolve() : super.stop(timeout);
  }

  protected override async createMessageTransports(): Promise<MessageTransports> {
    const socket = await opened(this.address);
    return { reader: new SocketReader(socket), writer: new SocketWriter(socket) };
  }
}

function opened(address: string): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(address);
    const timer = setTimeout(() => reject(new Error(`no answer from ${address}`)), PATIENCE);
    socket.addEventListener("open", () => (clearTimeout(timer), resolve(socket)));
    socket.addEventListener("error", () => (clearTimeout(timer), reject(new Error(`nobody answers at ${address}`))));
  });
}

/** Return a client for the address in the settings; without one, colours and snippets are all there is. */
async function connect(options: LanguageClientOptions): Promise<BaseLanguageClient | undefined> {
  const written = vscode.workspace.getConfiguration("gnomon").get("server.url", "");
  if (written === "") {
    return undefined;
  }
  const address = localAddress(written);
  if (address === undefined) {
    void vscode.window.showErrorMessage("gnomon.server.url is no web socket on this machine, such as ws://127.0.0.1:8765");
    return undefined;
  }
  const errorHandler = {
    error: () => ({ action: ErrorAction.Continue, handled: true }),
    closed: () => (void lost(address), { action: CloseAction.DoNotRestart, handled: true }),
  };
  const client = new SocketClient(address, { ...options, errorHandler });
  const start = client.start.bind(client);
  client.start = async () => start().catch((error: unknown) => (void lost(address), Promise.reject(error)));
  return client;
}

let telling = false;

async function lost(address: string): Promise<void> {
  if (telling) {
    return;
  }
  telling = true;
  const again = "Try Again";
  const answer = await vscode.window.showErrorMessage(`There is no connection to a language server at ${address}.`, again);
  telling = false;
  if (answer === again) {
    await vscode.commands.executeCommand("gnomon.restartServer");
  }
}

let end: () => Promise<void> = async () => undefined;

export function deactivate(): Promise<void> {
  return end();
}

export function activate(context: vscode.ExtensionContext): void {
  const output = vscode.window.createOutputChannel("Gnomon");
  const session: Session = begin(context, output, connect, [{ language: "ispl" }]);
  end = () => session.dispose();
  const restart = vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration("gnomon.server.url")) {
      void session.restart();
    }
  });
  context.subscriptions.push(restart);
}
