/** The entry for VS Code on a machine, where the server is a program that is started. */

import type { ChildProcess } from "node:child_process";
import { homedir } from "node:os";
import * as vscode from "vscode";
import { CloseAction, ErrorAction, State, type CloseHandlerResult } from "vscode-languageclient";
import { LanguageClient, type LanguageClientOptions } from "vscode-languageclient/node";
import { Tally, refused, report, type Ending } from "./crash";
import { begin } from "./extension";
import { ServerProcess } from "./process";
import { findProgram, python } from "./program";
import { registerTasks } from "./tasks";

const INSTALL = "pip install 'gnomon[lsp]'";
const SELECTOR = [
  { language: "ispl", scheme: "file" },
  { language: "ispl", scheme: "untitled" },
];

/** A client that leaves it to us to tell people that there is no server, or none any more. */
class Client extends LanguageClient {
  override error(message: string, data?: unknown, show: boolean | "force" = true): void {
    super.error(message, data, show === true && this.state === State.Running);
  }

  /** A server that did not get to its feet cannot be asked to end. */
  override stop(timeout?: number): Promise<void> {
    return this.state === State.Starting ? Promise.resolve() : super.stop(timeout);
  }
}

/** Makes clients, and tells people when there is no server or it does not stay. */
class Launcher {
  private server: ServerProcess | undefined;
  private told = false;

  constructor(
    private readonly context: vscode.ExtensionContext,
    private readonly output: vscode.OutputChannel,
  ) {}

  async connect(options: LanguageClientOptions): Promise<LanguageClient | undefined> {
    this.dispose();
    this.told = false;
    const program = await findProgram();
    if (program === undefined) {
      void this.ask(missing());
      return undefined;
    }
    this.output.appendLine(`Starting ${program} lsp`);
    return this.client(new ServerProcess(program), options);
  }

  /** End the server. That it ends is no news then. */
  dispose(): void {
    const server = this.server;
    this.server = undefined;
    server?.kill();
  }

  private client(server: ServerProcess, options: LanguageClientOptions): LanguageClient {
    this.server = server;
    const tally = new Tally();
    const errorHandler = {
      error: () => ({ action: ErrorAction.Continue, handled: true }),
      closed: (): Promise<CloseHandlerResult> => this.closed(server, client, tally),
    };
    const start = (): Promise<ChildProcess> => server.start().catch((error: unknown) => this.notStarted(server, error));
    const client: LanguageClient = new Client("gnomon", "Gnomon", start, { ...options, errorHandler });
    return client;
  }

  private notStarted({ program }: ServerProcess, error: unknown): never {
    void this.ask(`${program} cannot be started: ${error instanceof Error ? error.message : String(error)}`);
    throw error;
  }

  /** Decide what to do about a server that ended: one that refused to be one stays away, others come back. */
  private async closed(server: ServerProcess, client: LanguageClient, tally: Tally): Promise<CloseHandlerResult> {
    const ending = await server.ending();
    if (server !== this.server) {
      return { action: CloseAction.DoNotRestart, handled: true };
    }
    if (refused(ending, client.initializeResult !== undefined)) {
      void this.ask(unable(server.program, ending));
      return { action: CloseAction.DoNotRestart, handled: true };
    }
    const again = tally.again(Date.now());
    const text = this.report(server, client, ending);
    this.output.appendLine(text);
    if (!this.told || !again) {
      this.told = true;
      void this.tell(text, again);
    }
    return { action: again ? CloseAction.Restart : CloseAction.DoNotRestart, handled: true };
  }

  private report(server: ServerProcess, client: LanguageClient, ending: Ending): string {
    const packed = this.context.extension.packageJSON as { readonly version: string };
    const versions = {
      extension: packed.version,
      editor: `${vscode.env.appName} ${vscode.version}`,
      platform: `${process.platform} ${process.arch}`,
      server: client.initializeResult?.serverInfo?.version ?? "unknown version",
      program: server.program,
    };
    return report(versions, ending, homedir());
  }

  private async tell(text: string, again: boolean): Promise<void> {
    const words = again
      ? "The language server of Gnomon ended by itself and is started again."
      : "The language server of Gnomon keeps ending by itself and is not started again.";
    const [copy, show, restart] = ["Copy Report", "Show Output", "Try Again"];
    const answer = await vscode.window.showErrorMessage(words, copy, show, ...(again ? [] : [restart]));
    if (answer === copy) {
      await vscode.env.clipboard.writeText(text);
    } else if (answer === show) {
      this.output.show();
    } else if (answer === restart) {
      await vscode.commands.executeCommand("gnomon.restartServer");
    }
  }

  /** Say that there is no server, and offer what helps. */
  private async ask(words: string): Promise<void> {
    this.output.appendLine(words);
    const [choose, again, open] = ["Choose Path", "Try Again", "Open Walkthrough"];
    const answer = await vscode.window.showErrorMessage(words, choose, again, open);
    if (answer === choose) {
      await choosePath();
    } else if (answer === again) {
      await vscode.commands.executeCommand("gnomon.restartServer");
    } else if (answer === open) {
      const walkthrough = `${this.context.extension.id}#firstUse`;
      await vscode.commands.executeCommand("workbench.action.openWalkthrough", walkthrough, false);
    }
  }
}

function missing(): string {
  const setting = vscode.workspace.getConfiguration("gnomon").get("path", "");
  if (setting !== "") {
    return `gnomon.path is ${setting}, and there is no program that can be run.`;
  }
  const trust = vscode.workspace.isTrusted ? "" : " Programs in this folder were left out: it is not trusted.";
  return `Gnomon was not found. Install it with ${INSTALL}, or say where it is.${trust}`;
}

function unable(program: string, { lines }: Ending): string {
  const said = lines.at(-1);
  return `${program} has no language server. Install it with ${INSTALL}.${said === undefined ? "" : ` (${said.trim()})`}`;
}

async function choosePath(): Promise<void> {
  const chosen = await vscode.window.showOpenDialog({ title: "The program gnomon", openLabel: "Use This" });
  const [program] = chosen ?? [];
  if (program !== undefined) {
    const everywhere = vscode.ConfigurationTarget.Global;
    await vscode.workspace.getConfiguration("gnomon").update("path", program.fsPath, everywhere);
  }
}

let end: () => Promise<void> = async () => undefined;

/** Ask the server to end, and then see to it that it does. */
export function deactivate(): Promise<void> {
  return end();
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const output = vscode.window.createOutputChannel("Gnomon");
  const launcher = new Launcher(context, output);
  const session = begin(context, output, (options) => launcher.connect(options), SELECTOR);
  end = async () => {
    await session.dispose();
    launcher.dispose();
  };
  const restart = (): void => void session.restart();
  const restartIfOff = (): void => (session.phase === "off" ? restart() : undefined);
  context.subscriptions.push(
    registerTasks(),
    vscode.commands.registerCommand("gnomon.choosePath", choosePath),
    vscode.workspace.onDidGrantWorkspaceTrust(restartIfOff),
    vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration("gnomon.path") && restart()),
  );
  // Last, because it may take as long as another extension does.
  const environments = (await python())?.environments;
  if (environments !== undefined) {
    context.subscriptions.push(environments.onDidChangeActiveEnvironmentPath(restart));
  }
}
