/** What the language server says beside the standard protocol. Positions are those of LSP: zero-based, UTF-16. */

export interface Position {
  readonly line: number;
  readonly character: number;
}

export interface Range {
  readonly start: Position;
  readonly end: Position;
}

export type Value = "true" | "false" | "undefined" | "unknown";
export type State = "none" | "running" | "fresh" | "stale";
export type Standing = "expected" | "unexpected" | "open";

export interface Verdict {
  readonly value: Value;
  readonly asExpected: boolean;
  readonly standing: Standing;
  readonly seconds: number;
  readonly reason: string;
  readonly strategies: string | null;
  readonly evidence: boolean;
}

export interface Formula {
  /** Counted from one, as on the command line. */
  readonly number: number;
  readonly label: string;
  readonly name: string;
  readonly text: string;
  readonly range: Range;
  readonly expected: "true" | "false" | "undefined";
  /** Whether the file says what it expects; else it is expected to be true. */
  readonly declared: boolean;
  readonly state: State;
  readonly verdict: Verdict | null;
}

export interface Verdicts {
  readonly uri: string;
  readonly formulae: readonly Formula[];
}

/** What is asked of `gnomon.check`; without numbers, all formulae. */
export interface CheckRequest {
  readonly uri: string;
  readonly numbers: readonly number[] | null;
  readonly strategies?: string;
}

export interface FormulaRequest {
  readonly uri: string;
  readonly number: number;
  readonly strategies?: string;
}

export interface Page {
  readonly title: string;
  readonly html: string;
}

export interface Explanation extends Page {
  readonly number: number;
  readonly state: State;
}

export interface Walk {
  readonly command: readonly string[];
  readonly cwd: string | null;
}

/** The commands of the server. Its lenses name them, so they cannot be the names of our own. */
export const SERVER_COMMANDS = {
  check: "gnomon.check",
  cancel: "gnomon.cancel",
  explain: "gnomon.explain",
  simulate: "gnomon.simulate",
  graph: "gnomon.graph",
} as const;

export const FORMULAE = "gnomon/formulae";
export const EXPLANATION = "gnomon/explanation";
export const VERDICTS = "gnomon/verdicts";

/**
 * Return the formula at a position: the one whose text is there, else the first on the same line, so that the blanks
 * before it and the name in front of it count as its own.
 */
export function formulaAt(formulae: readonly Formula[], at: Position): Formula | undefined {
  return (
    formulae.find(({ range }) => !before(at, range.start) && !before(range.end, at)) ??
    formulae.find(({ range }) => range.start.line === at.line || range.end.line === at.line)
  );
}

function before(one: Position, other: Position): boolean {
  return one.line < other.line || (one.line === other.line && one.character < other.character);
}
