/** Snippets. The server offers sections where they may stand; without it, all of them are offered everywhere. */

import * as vscode from "vscode";
import patterns from "../snippets/patterns.json";
import sections from "../snippets/sections.json";
import type { Selector, Session } from "./session";

interface Written {
  readonly prefix: string;
  readonly description: string;
  readonly body: readonly string[];
}

export interface Skeleton {
  readonly name: string;
  readonly prefix: string;
  readonly description: string;
  readonly body: string;
}

/** Return all snippets that there are. */
export function all(): Skeleton[] {
  return [...read(patterns), ...read(sections)];
}

/** Offer the sections of programs for as long as there is no server that knows where each of them may stand. */
export function offerSections(session: Session, selector: Selector): vscode.Disposable {
  return vscode.languages.registerCompletionItemProvider(selector, {
    provideCompletionItems: () => (session.phase === "running" ? [] : read(sections).map(item)),
  });
}

function read(file: Readonly<Record<string, Written>>): Skeleton[] {
  return Object.entries(file).map(([name, { body, ...rest }]) => ({ name, ...rest, body: body.join("\n") }));
}

function item({ prefix, name, description, body }: Skeleton): vscode.CompletionItem {
  const made = new vscode.CompletionItem({ label: prefix, description: name }, vscode.CompletionItemKind.Snippet);
  made.insertText = new vscode.SnippetString(body);
  made.documentation = description;
  return made;
}
