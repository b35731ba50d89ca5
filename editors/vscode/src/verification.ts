/** Formulae that say what they expect, as entries of the Testing view. */

import * as vscode from "vscode";
import { outcomeOf } from "./outcomes";
import { SERVER_COMMANDS, type Formula } from "./protocol";
import type { Session } from "./session";

const PATTERN = "**/*.{ispl,pmas}";
const MOST_FILES = 1000;

export class Verification implements vscode.Disposable {
  private readonly controller = vscode.tests.createTestController("gnomon", "Gnomon");
  private readonly profile: vscode.TestRunProfile;
  private readonly parts: vscode.Disposable[];
  /** Files of which a run of ours is waiting for the answer; it will tell the results itself. */
  private readonly running = new Set<string>();
  /** What was last told about a formula, so that an answer is told once. */
  private readonly told = new Map<string, string>();

  constructor(private readonly session: Session) {
    this.controller.resolveHandler = (item) => (item === undefined ? this.discover() : this.resolve(item));
    this.controller.refreshHandler = () => this.discover();
    const run = vscode.TestRunProfileKind.Run;
    this.profile = this.controller.createRunProfile("Check", run, (request, token) => this.run(request, token), true);
    this.parts = [
      this.controller,
      session.onVerdicts((uri) => this.heard(uri)),
      session.onPhase((phase) => phase === "running" && this.askOpen()),
      session.onOpened((document) => void this.ask(document)),
      vscode.workspace.onDidDeleteFiles(({ files }) => files.forEach((uri) => this.controller.items.delete(uri.toString()))),
    ];
    this.askOpen();
  }

  dispose(): void {
    this.parts.forEach((part) => void part.dispose());
  }

  private askOpen(): void {
    vscode.workspace.textDocuments.forEach((document) => void this.ask(document));
  }

  private async ask(document: vscode.TextDocument): Promise<void> {
    if (this.session.covers(document)) {
      await this.session.refresh(document.uri).catch(() => []);
    }
  }

  /** List the models of the workspace; what is in them is read when someone looks. */
  private async discover(): Promise<void> {
    for (const uri of await vscode.workspace.findFiles(PATTERN, "**/node_modules/**", MOST_FILES)) {
      if (this.controller.items.get(uri.toString()) === undefined) {
        this.file(uri).canResolveChildren = true;
      }
    }
  }

  private async resolve(item: vscode.TestItem): Promise<void> {
    if (item.uri !== undefined && item.parent === undefined) {
      await this.formulae(item.uri);
    }
  }

  private file(uri: vscode.Uri): vscode.TestItem {
    const old = this.controller.items.get(uri.toString());
    if (old !== undefined) {
      return old;
    }
    const item = this.controller.createTestItem(uri.toString(), vscode.workspace.asRelativePath(uri), uri);
    this.controller.items.add(item);
    return item;
  }

  /** Return the formulae of a file, which the server knows of open documents only. */
  private async formulae(uri: vscode.Uri): Promise<readonly Formula[]> {
    await vscode.workspace.openTextDocument(uri);
    return this.session.refresh(uri);
  }

  /** Bring the entries of a file up to date, and tell what was found by other ways than a run of ours. */
  private heard(uri: vscode.Uri): void {
    const declared = this.session.formulae(uri).filter((formula) => formula.declared);
    if (declared.length === 0) {
      this.controller.items.delete(uri.toString());
      return;
    }
    const file = this.file(uri);
    file.canResolveChildren = false;
    file.children.replace(declared.map((formula) => this.entry(file, formula)));
    if (!this.running.has(uri.toString())) {
      this.tellOthers(file, declared);
    }
  }

  private entry(file: vscode.TestItem, formula: Formula): vscode.TestItem {
    const old = file.children.get(formula.label);
    const item = old ?? this.controller.createTestItem(formula.label, formula.label, file.uri);
    item.range = range(formula);
    item.description = formula.text;
    item.sortText = String(formula.number).padStart(6, "0");
    return item;
  }

  private tellOthers(file: vscode.TestItem, formulae: readonly Formula[]): void {
    const stale = formulae.filter((formula) => formula.state === "stale");
    // What comes back by undoing is news: the entry is out of date until it is told again.
    stale.forEach((formula) => this.told.delete(`${file.id}#${formula.label}`));
    this.controller.invalidateTestResults(stale.flatMap((formula) => file.children.get(formula.label) ?? []));
    const fresh = formulae.filter((formula) => formula.state === "fresh" && this.isNews(file, formula));
    if (fresh.length > 0) {
      // Called continuous, because nobody started it as a test: nothing opens in front of whoever is reading.
      const items = fresh.flatMap(({ label }) => file.children.get(label) ?? []);
      const request = new vscode.TestRunRequest(items, undefined, this.profile, true, true);
      const run = this.controller.createTestRun(request, "Gnomon", false);
      fresh.forEach((formula) => this.tell(run, file, formula, false));
      run.end();
    }
  }

  private isNews(file: vscode.TestItem, formula: Formula): boolean {
    return this.told.get(`${file.id}#${formula.label}`) !== JSON.stringify(formula.verdict);
  }

  /** Tell the result of a test; in the text itself only to those who ran it as one, because it stands there anyway. */
  private tell(run: vscode.TestRun, file: vscode.TestItem, formula: Formula, inText = true): void {
    const item = file.children.get(formula.label);
    if (item === undefined) {
      return;
    }
    this.told.set(`${file.id}#${formula.label}`, JSON.stringify(formula.verdict));
    const outcome = outcomeOf(formula);
    switch (outcome.kind) {
      case "passed":
        return run.passed(item, outcome.milliseconds);
      case "skipped":
        return run.skipped(item);
      case "failed":
        return run.failed(item, message(inText && item.uri, formula, outcome.message), outcome.milliseconds);
      case "errored":
        return run.errored(item, message(inText && item.uri, formula, outcome.message), outcome.milliseconds);
    }
  }

  private async run(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    const run = this.controller.createTestRun(request);
    try {
      for (const [file, labels] of this.asked(request)) {
        if (!token.isCancellationRequested) {
          await this.check(run, file, labels, token);
        }
      }
    } finally {
      run.end();
    }
  }

  /** Return the files that a request is about, with the labels of the formulae, or null for all of a file. */
  private asked(request: vscode.TestRunRequest): Map<vscode.TestItem, Set<string> | null> {
    const files = new Map<vscode.TestItem, Set<string> | null>();
    const included = request.include ?? items(this.controller.items);
    for (const item of included.filter((one) => !(request.exclude ?? []).includes(one))) {
      if (item.parent === undefined) {
        files.set(item, null);
      } else if (files.get(item.parent) !== null) {
        files.set(item.parent, (files.get(item.parent) ?? new Set()).add(item.id));
      }
    }
    return files;
  }

  private async check(
    run: vscode.TestRun,
    file: vscode.TestItem,
    labels: ReadonlySet<string> | null,
    token: vscode.CancellationToken,
  ): Promise<void> {
    const uri = file.uri;
    if (uri === undefined) {
      return;
    }
    const chosen = ({ label, declared }: Formula): boolean => (labels === null ? declared : labels.has(label));
    this.running.add(uri.toString());
    const name = this.session.name(uri);
    const stop = token.onCancellationRequested(() => void this.session.execute(SERVER_COMMANDS.cancel, { uri: name }));
    try {
      const formulae = (await this.formulae(uri)).filter(chosen);
      formulae.forEach(({ label }) => started(run, file.children.get(label)));
      const numbers = formulae.map(({ number }) => number);
      const answer = await this.session.execute<{ formulae: Formula[] }>(SERVER_COMMANDS.check, { uri: name, numbers });
      (answer?.formulae ?? []).filter(chosen).forEach((formula) => this.tell(run, file, formula));
    } catch (error) {
      items(file.children).forEach((item) => run.errored(item, new vscode.TestMessage(String(error))));
    } finally {
      stop.dispose();
      this.running.delete(uri.toString());
    }
  }
}

function started(run: vscode.TestRun, item: vscode.TestItem | undefined): void {
  if (item !== undefined) {
    run.started(item);
  }
}

function items(collection: vscode.TestItemCollection): vscode.TestItem[] {
  return [...collection].map(([, item]) => item);
}

function message(uri: vscode.Uri | false | undefined, formula: Formula, text: string): vscode.TestMessage {
  const made = new vscode.TestMessage(text);
  if (uri) {
    made.location = new vscode.Location(uri, range(formula));
  }
  return made;
}

function range({ range: { start, end } }: Formula): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}
