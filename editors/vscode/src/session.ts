/** The connection to the language server, whatever carries it, and what the server has said about formulae. */

import * as vscode from "vscode";
import {
  ErrorCodes,
  ExecuteCommandRequest,
  LSPErrorCodes,
  State,
  type BaseLanguageClient,
  type CancellationToken,
  type LanguageClientOptions,
} from "vscode-languageclient";
import { EXPLANATION, FORMULAE, VERDICTS, type Explanation, type Formula, type Position, type Verdicts } from "./protocol";

/** Which documents the server is told about. */
export type Selector = { readonly language: string; readonly scheme?: string }[];

export type Phase = "off" | "starting" | "running";

/** What a server may show by commands of its lenses, which do not pass through commands of ours. */
export type Answered = (command: string, argument: unknown, answer: unknown) => Promise<void>;

/** Makes a client that is not started yet, or nothing where there is no server; it tells people why by itself. */
export type Connect = (options: LanguageClientOptions) => Promise<BaseLanguageClient | undefined>;

const PAUSE = 200;

export class Session implements vscode.Disposable {
  private client: BaseLanguageClient | undefined;
  private known = new Map<string, readonly Formula[]>();
  private readonly verdicts = new vscode.EventEmitter<vscode.Uri>();
  private readonly opened = new vscode.EventEmitter<vscode.TextDocument>();
  private readonly phases = new vscode.EventEmitter<Phase>();
  private turn: Promise<void> = Promise.resolve();
  private now: Phase = "off";

  /** Something is known of the formulae of a file that was not known before. */
  readonly onVerdicts = this.verdicts.event;
  /** The server has heard of a document, so that it can be asked about it. */
  readonly onOpened = this.opened.event;
  readonly onPhase = this.phases.event;

  constructor(
    readonly output: vscode.OutputChannel,
    private readonly connect: Connect,
    private readonly selector: Selector,
    private readonly answered: Answered,
  ) {}

  get phase(): Phase {
    return this.now;
  }

  /** Return whether the server is told about a document. */
  covers(document: vscode.TextDocument): boolean {
    return vscode.languages.match(this.selector, document) > 0;
  }

  /** Stop the server if there is one, and start it. One restart waits for the other. */
  restart(): Promise<void> {
    this.turn = this.turn.then(() => this.stop()).then(() => this.start());
    return this.turn;
  }

  /** Return what was last heard about the formulae of a file. */
  formulae(uri: vscode.Uri): readonly Formula[] {
    return this.known.get(uri.toString()) ?? [];
  }

  /** Ask for the formulae of a file as they stand in its present text. */
  async refresh(uri: vscode.Uri): Promise<readonly Formula[]> {
    const params = { textDocument: { uri: this.name(uri) } };
    const answer = await this.patiently(() => this.request<readonly Formula[] | null>(FORMULAE, params));
    if (answer !== undefined) {
      this.learn(uri, answer ?? []);
    }
    return this.formulae(uri);
  }

  async explanation(uri: vscode.Uri, position: Position): Promise<Explanation | null> {
    const asked = { textDocument: { uri: this.name(uri) }, position };
    return (await this.patiently(() => this.request<Explanation | null>(EXPLANATION, asked))) ?? null;
  }

  /** Have the server do one of its commands. */
  async execute<T>(command: string, argument: object, token?: CancellationToken): Promise<T | undefined> {
    return this.request<T>(ExecuteCommandRequest.method, { command, arguments: [argument] }, token);
  }

  /** Return how the server calls a file, which need not be how the editor does. */
  name(uri: vscode.Uri): string {
    return this.client?.code2ProtocolConverter.asUri(uri) ?? uri.toString();
  }

  async dispose(): Promise<void> {
    await this.stop();
    this.verdicts.dispose();
    this.opened.dispose();
    this.phases.dispose();
  }

  private async start(): Promise<void> {
    this.enter("starting");
    try {
      this.client = await this.connect(this.options());
      if (this.client === undefined) {
        this.enter("off");
        return;
      }
      this.client.onNotification(VERDICTS, ({ uri, formulae }: Verdicts) => this.learn(vscode.Uri.parse(uri), formulae));
      const client = this.client;
      client.onDidChangeState(({ newState }) => this.follow(client, newState));
      await client.start();
    } catch (error) {
      // Whoever connects has told people; what is left is for those who look closer.
      this.output.appendLine(`The language server did not start: ${String(error)}`);
      this.client = undefined;
      this.enter("off");
    }
  }

  private refused(error: unknown): void {
    const { code, message } = error as { readonly code?: number; readonly message?: string };
    if (code !== ErrorCodes.PendingResponseRejected && code !== undefined) {
      void vscode.window.showErrorMessage(`The language server of Gnomon does not start: ${message ?? "no reason given"}`);
    }
  }

  private async stop(): Promise<void> {
    const client = this.client;
    this.client = undefined;
    this.known = new Map();
    if (client?.isRunning() === true) {
      await client.stop(3000).catch((error: unknown) => this.output.appendLine(String(error)));
    }
    await client?.dispose().catch(() => undefined);
  }

  /** Follow the client. It says that it is running before it has told the server what is open, so wait for that, too. */
  private follow(client: BaseLanguageClient, state: State): void {
    if (client !== this.client) {
      return;
    }
    if (state === State.Running) {
      void client.start().then(() => client === this.client && this.enter("running"), () => undefined);
    } else {
      this.enter(state === State.Starting ? "starting" : "off");
    }
  }

  private enter(phase: Phase): void {
    this.now = phase;
    void vscode.commands.executeCommand("setContext", "gnomon.running", phase === "running");
    this.phases.fire(phase);
  }

  private learn(uri: vscode.Uri, formulae: readonly Formula[]): void {
    this.known.set(uri.toString(), formulae);
    this.verdicts.fire(uri);
  }

  /** Ask again where the text was changed meanwhile, or the server has not heard of it yet. */
  private async patiently<T>(ask: () => Promise<T>, times = 5): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      if (times === 0 || (error as { readonly code?: number }).code !== LSPErrorCodes.ContentModified) {
        throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
      return this.patiently(ask, times - 1);
    }
  }

  private async request<T>(method: string, params: object, token?: CancellationToken): Promise<T | undefined> {
    if (this.client === undefined || this.now !== "running") {
      return undefined;
    }
    return token === undefined
      ? this.client.sendRequest<T>(method, params)
      : this.client.sendRequest<T>(method, params, token);
  }

  private options(): LanguageClientOptions {
    return {
      documentSelector: this.selector,
      outputChannel: this.output,
      initializationOptions: { panel: true },
      synchronize: { configurationSection: "gnomon" },
      // A server that ends before it has answered is told about by whoever started it; one that answers with a
      // refusal is told about here.
      initializationFailedHandler: (error: unknown) => (void this.refused(error), false),
      middleware: {
        didOpen: async (document, next) => {
          await next(document);
          this.opened.fire(document);
        },
        executeCommand: async (command, args, next) => {
          const answer: unknown = await next(command, args);
          await this.answered(command, args[0], answer);
          return answer;
        },
      },
    };
  }
}
