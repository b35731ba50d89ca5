/** The panel beside the editor: the verdicts of a file, and the page of the formula under the cursor. */

import * as vscode from "vscode";
import script from "gnomon:panel";
import { SERVER_COMMANDS, formulaAt, type Formula, type Page } from "./protocol";
import type { Session } from "./session";
import { row, shell, themed, type Said, type View } from "./view";

const PAUSE = 150;

/** What is shown below the list, and of which formula. */
interface Shown {
  readonly number: number;
  readonly text: string;
  readonly html: string;
}

/** Makes panels beside the editor, with our icon. */
export type MakePanel = (kind: string, title: string, told: (said: Said) => void) => vscode.WebviewPanel;

export class Panel implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private document: vscode.TextDocument | undefined;
  private shown: Shown | undefined;
  private wanted: number | null = null;
  /** The text has changed, and the server has not said yet what that means for the verdicts. */
  private changed = false;
  private timer: NodeJS.Timeout | undefined;
  private question = 0;
  private readonly followers: vscode.Disposable[];

  constructor(
    private readonly session: Session,
    private readonly beside: MakePanel,
  ) {
    this.followers = [
      vscode.window.onDidChangeTextEditorSelection(({ textEditor }) => this.follow(textEditor)),
      vscode.window.onDidChangeActiveTextEditor((editor) => this.follow(editor)),
      vscode.window.onDidChangeActiveColorTheme(() => this.draw()),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.edited(document)),
      session.onVerdicts((uri) => this.heard(uri)),
    ];
  }

  /** Open the panel for a file, or bring it to the front. */
  open(document: vscode.TextDocument): void {
    this.turnTo(document);
    if (this.panel === undefined) {
      this.panel = this.beside("gnomon.verdicts", "Gnomon", (said) => void this.told(said));
      this.panel.onDidDispose(() => (this.panel = undefined));
    } else {
      this.panel.reveal(undefined, true);
    }
    this.schedule();
  }

  /** Show the page of a formula at once, as when it was asked for. */
  showPage(document: vscode.TextDocument, number: number, page: Page): void {
    this.open(document);
    this.wanted = number;
    this.keep(number, page);
    this.draw();
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.panel?.dispose();
    this.followers.forEach((follower) => void follower.dispose());
  }

  private follow(editor: vscode.TextEditor | undefined): void {
    if (this.panel !== undefined && editor !== undefined && this.session.covers(editor.document)) {
      this.turnTo(editor.document);
      this.schedule();
    }
  }

  private turnTo(document: vscode.TextDocument): void {
    if (this.document?.uri.toString() !== document.uri.toString()) {
      this.document = document;
      this.shown = undefined;
      this.wanted = null;
      this.changed = false;
    }
  }

  private edited(document: vscode.TextDocument): void {
    if (this.panel !== undefined && document === this.document) {
      this.changed = true;
      this.draw();
      this.schedule();
    }
  }

  private heard(uri: vscode.Uri): void {
    if (this.panel !== undefined && uri.toString() === this.document?.uri.toString()) {
      this.changed = false;
      this.draw();
      this.schedule(false);
    }
  }

  /** Ask again once the cursor rests. */
  private schedule(list = true): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.ask(list), PAUSE);
  }

  /** Ask for the list, where it may be old, and for the page of the formula under the cursor. */
  private async ask(list: boolean): Promise<void> {
    const document = this.document;
    const question = ++this.question;
    if (document === undefined || this.panel === undefined) {
      return;
    }
    try {
      if (list) {
        await this.session.refresh(document.uri);
      }
      const at = this.cursor(document);
      const here = at === undefined ? undefined : formulaAt(this.session.formulae(document.uri), at);
      const explanation = here === undefined ? null : await this.session.explanation(document.uri, here.range.start);
      // An answer to an older question is no answer to this one.
      if (question !== this.question || this.document !== document) {
        return;
      }
      this.changed = false;
      this.wanted = here?.number ?? this.wanted;
      if (explanation !== null) {
        this.keep(explanation.number, explanation);
      }
      this.draw();
    } catch (error) {
      this.session.output.appendLine(`The panel has no answer: ${String(error)}`);
    }
  }

  private keep(number: number, page: Page): void {
    const text = this.formula(number)?.text ?? "";
    this.shown = { number, text, html: page.html };
  }

  private cursor(document: vscode.TextDocument): vscode.Position | undefined {
    return editorOf(document)?.selection.active;
  }

  private formula(number: number | null): Formula | undefined {
    return this.document && this.session.formulae(this.document.uri).find((one) => one.number === number);
  }

  private draw(): void {
    if (this.panel !== undefined && this.document !== undefined) {
      void this.panel.webview.postMessage(this.view(this.document));
    }
  }

  private view(document: vscode.TextDocument): View {
    const formulae = this.session.formulae(document.uri).map((one) => (this.changed ? aged(one) : one));
    const here = formulae.find((one) => one.number === this.wanted);
    const kept = formulae.find((one) => one.number === this.shown?.number && one.text === this.shown.text);
    const page = this.shown !== undefined && this.shown.number === this.wanted ? this.shown : undefined;
    return {
      title: document.uri.path.split("/").at(-1) ?? "",
      rows: formulae.map(row),
      current: this.wanted,
      page: page === undefined ? null : themed(page.html, isDark()),
      note: this.note(here, page && kept, page !== undefined),
      warning: page === undefined ? this.session.phase !== "running" : kept?.state !== "fresh",
      offer: here !== undefined && here.state !== "fresh" && here.state !== "running",
    };
  }

  private note(here: Formula | undefined, kept: Formula | undefined, page: boolean): string {
    if (this.session.phase !== "running") {
      return "The language server is not running.";
    }
    if (page) {
      const fresh = kept?.state === "fresh";
      return fresh ? "" : kept?.state === "running" ? "Being checked again; this is the answer of before." : STALE;
    }
    if (here === undefined) {
      return this.wanted === null ? "Put the cursor on a formula to see its page." : "";
    }
    return here.state === "running" ? `${here.label} is being checked.` : `${here.label} has not been checked.`;
  }

  private async told(said: Said): Promise<void> {
    const document = this.document;
    if (said.kind === "ready" || document === undefined) {
      this.draw();
    } else if (said.kind === "go") {
      await this.go(document, said.number);
    } else {
      const numbers = said.number === null ? null : [said.number];
      await this.session.execute(SERVER_COMMANDS.check, { uri: this.session.name(document.uri), numbers });
    }
  }

  /** Put the cursor on a formula; its page follows. */
  private async go(document: vscode.TextDocument, number: number): Promise<void> {
    const formula = this.formula(number);
    if (formula === undefined) {
      return;
    }
    const { line, character } = formula.range.start;
    const at = new vscode.Position(line, character);
    const viewColumn = editorOf(document)?.viewColumn ?? vscode.ViewColumn.One;
    const selection = new vscode.Range(at, at);
    await vscode.window.showTextDocument(document, { viewColumn, preserveFocus: true, selection });
    this.schedule(false);
  }
}

const STALE = "Stale: the file has changed since this was found.";

/** Shows a page that belongs to no formula, such as a picture of the reachable states. */
export class Pictures implements vscode.Disposable {
  private readonly open = new Map<string, { panel: vscode.WebviewPanel; page: Page }>();
  private readonly themes = vscode.window.onDidChangeActiveColorTheme(() => this.open.forEach(drawPicture));

  constructor(private readonly beside: MakePanel) {}

  show(uri: vscode.Uri, page: Page): void {
    const key = uri.toString();
    const old = this.open.get(key);
    const panel = old?.panel ?? this.beside("gnomon.picture", page.title, () => this.draw(key));
    this.open.set(key, { panel, page });
    panel.title = page.title;
    if (old === undefined) {
      panel.onDidDispose(() => this.open.delete(key));
    } else {
      panel.reveal(undefined, true);
    }
    this.draw(key);
  }

  dispose(): void {
    this.themes.dispose();
    this.open.forEach(({ panel }) => void panel.dispose());
  }

  private draw(key: string): void {
    const picture = this.open.get(key);
    if (picture !== undefined) {
      drawPicture(picture);
    }
  }
}

function drawPicture({ panel, page }: { panel: vscode.WebviewPanel; page: Page }): void {
  const view: View = { title: page.title, rows: [], current: null, page: themed(page.html, isDark()), note: "", warning: false, offer: false };
  void panel.webview.postMessage(view);
}

/** Make an empty panel beside the editor, with the nonce of its only script. */
export function beside(icon: vscode.Uri, kind: string, title: string, told: (said: Said) => void): vscode.WebviewPanel {
  const place = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
  const options = { enableScripts: true, enableFindWidget: true, retainContextWhenHidden: false, localResourceRoots: [] };
  const panel = vscode.window.createWebviewPanel(kind, title, place, options);
  panel.iconPath = icon;
  panel.webview.onDidReceiveMessage(told);
  panel.webview.html = shell(title, nonce(), script);
  return panel;
}

function nonce(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(18));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Return a formula as it is after its file was changed: nothing that was found counts as found of the new text. */
function aged(formula: Formula): Formula {
  return formula.state === "fresh" ? { ...formula, state: "stale" } : formula;
}

function editorOf(document: vscode.TextDocument): vscode.TextEditor | undefined {
  const active = vscode.window.activeTextEditor;
  const editors = [...(active === undefined ? [] : [active]), ...vscode.window.visibleTextEditors];
  return editors.find((editor) => editor.document.uri.toString() === document.uri.toString());
}

function isDark(): boolean {
  const { kind } = vscode.window.activeColorTheme;
  return kind === vscode.ColorThemeKind.Dark || kind === vscode.ColorThemeKind.HighContrast;
}
