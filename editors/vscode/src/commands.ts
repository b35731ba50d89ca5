/** The commands of the extension. What is computed is computed by the server. */

import * as vscode from "vscode";
import type { Panel, Pictures } from "./panel";
import { SERVER_COMMANDS, formulaAt, type CheckRequest, type Formula, type FormulaRequest, type Page, type Walk } from "./protocol";
import type { Session } from "./session";
import { all } from "./skeletons";

/** What commands need. */
export interface Parts {
  readonly session: Session;
  readonly panel: Panel;
  readonly pictures: Pictures;
  readonly context: vscode.ExtensionContext;
}

/** Register the commands that work wherever the server is. */
export function registerCommands(parts: Parts): vscode.Disposable[] {
  const commands: Record<string, () => Promise<void> | void> = {
    "gnomon.checkFormula": () => checkFormula(parts),
    "gnomon.checkAll": () => checkAll(parts),
    "gnomon.checkUniform": () => checkFormula(parts, "uniform"),
    "gnomon.explainFormula": () => explainFormula(parts),
    "gnomon.showPanel": () => withEditor(parts, ({ document }) => parts.panel.open(document)),
    "gnomon.showGraph": () => showGraph(parts),
    "gnomon.simulateModel": () => simulateModel(parts),
    "gnomon.cancelChecks": () => cancelChecks(parts),
    "gnomon.insert": insert,
    "gnomon.openExample": () => openExample(parts.context),
    "gnomon.restartServer": () => parts.session.restart(),
    "gnomon.showOutput": () => parts.session.output.show(),
  };
  return Object.entries(commands).map(([name, run]) => vscode.commands.registerCommand(name, run));
}

/** Show what a command of a lens brought: its answer goes to whoever asked, and that is nobody. */
export async function showAnswer(
  { session, panel, pictures }: Parts,
  command: string,
  argument: unknown,
  answer: unknown,
): Promise<void> {
  if (answer === null || answer === undefined) {
    return;
  }
  const { uri: name, number } = argument as FormulaRequest;
  const uri = vscode.Uri.parse(name);
  if (command === SERVER_COMMANDS.explain) {
    await session.refresh(uri);
    panel.showPage(await vscode.workspace.openTextDocument(uri), number, answer as Page);
  } else if (command === SERVER_COMMANDS.graph) {
    pictures.show(uri, answer as Page);
  } else if (command === SERVER_COMMANDS.simulate) {
    walk(answer as Walk);
  }
}

async function withEditor(
  { session }: Parts,
  run: (editor: vscode.TextEditor) => Promise<void> | void,
): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  if (editor === undefined || !session.covers(editor.document)) {
    void vscode.window.showInformationMessage("Open a model (a file *.ispl or *.pmas) first.");
  } else if (session.phase !== "running") {
    const restart = "Start It";
    const answer = await vscode.window.showWarningMessage("The language server of Gnomon is not running.", restart);
    if (answer === restart) {
      await session.restart();
    }
  } else {
    await run(editor);
  }
}

/** Do something with the formula at the cursor, or with one that people choose. */
function withFormula(
  parts: Parts,
  run: (document: vscode.TextDocument, formula: Formula) => Promise<void>,
): Promise<void> {
  return withEditor(parts, async ({ document, selection }) => {
    const formulae = await parts.session.refresh(document.uri);
    const formula = formulaAt(formulae, selection.active) ?? (await choose(formulae));
    if (formula !== undefined) {
      await run(document, formula);
    }
  });
}

async function choose(formulae: readonly Formula[]): Promise<Formula | undefined> {
  if (formulae.length === 0) {
    void vscode.window.showInformationMessage("This file has no formulae that can be read.");
    return undefined;
  }
  const choices = formulae.map((formula) => ({ label: formula.label, description: formula.text, formula }));
  return (await vscode.window.showQuickPick(choices, { placeHolder: "Which formula?" }))?.formula;
}

function checkFormula(parts: Parts, strategies?: string): Promise<void> {
  return withFormula(parts, (document, { number }) => check(parts, document, [number], strategies));
}

function checkAll(parts: Parts): Promise<void> {
  return withEditor(parts, ({ document }) => check(parts, document, null));
}

async function check(
  { session }: Parts,
  document: vscode.TextDocument,
  numbers: readonly number[] | null,
  strategies?: string,
): Promise<void> {
  const asked: CheckRequest = { uri: session.name(document.uri), numbers };
  await session.execute(SERVER_COMMANDS.check, strategies === undefined ? asked : { ...asked, strategies });
}

function explainFormula(parts: Parts): Promise<void> {
  return withFormula(parts, async (document, { number, label }) => {
    const asked: FormulaRequest = { uri: parts.session.name(document.uri), number };
    const page = await parts.session.execute<Page | null>(SERVER_COMMANDS.explain, asked);
    if (page === null || page === undefined) {
      void vscode.window.showInformationMessage(`There is nothing to explain about ${label}.`);
      return;
    }
    await parts.session.refresh(document.uri);
    parts.panel.showPage(document, number, page);
  });
}

function showGraph(parts: Parts): Promise<void> {
  return withEditor(parts, async ({ document }) => {
    const asked = { uri: parts.session.name(document.uri) };
    const page = await parts.session.execute<Page | null>(SERVER_COMMANDS.graph, asked);
    if (page !== null && page !== undefined) {
      parts.pictures.show(document.uri, page);
    }
  });
}

function simulateModel(parts: Parts): Promise<void> {
  return withEditor(parts, async ({ document, selection }) => {
    const formula = formulaAt(parts.session.formulae(document.uri), selection.active);
    const asked = { uri: parts.session.name(document.uri), number: formula?.number ?? null };
    const answer = await parts.session.execute<Walk | null>(SERVER_COMMANDS.simulate, asked);
    if (answer !== null && answer !== undefined) {
      walk(answer);
    }
  });
}

/** Run the simulator as a program of the terminal: no shell reads its arguments, so none of them can be a command. */
function walk({ command: [shellPath, ...shellArgs], cwd }: Walk): void {
  if (shellPath === undefined || vscode.env.uiKind === vscode.UIKind.Web) {
    void vscode.window.showInformationMessage("The simulator needs a terminal, which there is none of here.");
    return;
  }
  const options: vscode.TerminalOptions = { name: "Gnomon", shellPath, shellArgs };
  vscode.window.createTerminal(cwd === null ? options : { ...options, cwd }).show();
}

function cancelChecks(parts: Parts): Promise<void> {
  return withEditor(parts, async ({ document }) => {
    await parts.session.execute(SERVER_COMMANDS.cancel, { uri: parts.session.name(document.uri) });
  });
}

async function insert(): Promise<void> {
  const editor = vscode.window.activeTextEditor;
  const choices = all().map(({ name, description, body }) => ({ label: name, description, body }));
  const chosen = await vscode.window.showQuickPick(choices, { placeHolder: "Insert what?", matchOnDescription: true });
  if (editor !== undefined && chosen !== undefined) {
    await editor.insertSnippet(new vscode.SnippetString(chosen.body));
  }
}

async function openExample({ extensionUri }: vscode.ExtensionContext): Promise<void> {
  const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(extensionUri, "dist", "bit_transmission.ispl"));
  const content = new TextDecoder().decode(bytes);
  await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: "ispl", content }));
}
