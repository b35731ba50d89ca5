/** The patterns of package.json beside what Gnomon printed: test/output was written by the program itself. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import manifest from "../package.json";

interface Pattern {
  readonly regexp: string;
  readonly severity?: number;
  readonly code?: number;
  readonly message?: number;
  readonly file?: number;
  readonly line?: number;
  readonly column?: number;
}

type Problem = Partial<Record<Exclude<keyof Pattern, "regexp">, string>>;

const OUTPUT = join(process.cwd(), "test", "output");
const KEYS = ["severity", "code", "message", "file", "line", "column"] as const;

/** Do what VS Code does: a pattern of several lines is one of consecutive lines. */
function problems(name: string, text: string): Problem[] {
  const patterns: Pattern[] = manifest.contributes.problemPatterns.find((one) => one.name === name)?.patterns ?? [];
  const lines = text.split("\n");
  return lines.flatMap((_, start) => {
    const matches = patterns.map(({ regexp }, i) => new RegExp(regexp, "u").exec(lines[start + i] ?? ""));
    return matches.every((match) => match !== null) ? [problem(patterns, matches)] : [];
  });
}

function problem(patterns: readonly Pattern[], matches: readonly (RegExpExecArray | null)[]): Problem {
  const found: Problem = {};
  patterns.forEach((pattern, i) =>
    KEYS.forEach((key) => {
      const text = pattern[key] === undefined ? undefined : matches[i]?.[pattern[key]];
      if (text !== undefined) {
        found[key] = text;
      }
    }),
  );
  return found;
}

const MISTAKES = [
  { severity: "warning", code: "G0401", message: "this is always true: `x` is in 0..3", file: "mistakes.ispl", line: "7", column: "18" },
  { severity: "error", code: "G0204", message: "action `wiat` is not an action of agent `Ann`", file: "mistakes.ispl", line: "17", column: "15" },
  { severity: "error", code: "G0601", message: "there is no proposition `q`", file: "mistakes.ispl", line: "30", column: "6" },
];

test("mistakes are read from what people see", () => {
  assert.deepEqual(problems("gnomon", readFileSync(join(OUTPUT, "check.txt"), "utf8")), MISTAKES);
});

test("mistakes are read from a terminal that has no lines to draw with", () => {
  assert.deepEqual(problems("gnomon", readFileSync(join(OUTPUT, "check-ascii.txt"), "utf8")), MISTAKES);
});

test("verdicts that are not as expected are read from tests", () => {
  assert.deepEqual(problems("gnomon-test", readFileSync(join(OUTPUT, "test.txt"), "utf8")), [
    { file: "verdicts.ispl", line: "23", message: "false, expected true" },
    { file: "verdicts.ispl", line: "24", message: "true, expected false" },
  ]);
});

test("each matcher has its pattern", () => {
  const names = manifest.contributes.problemPatterns.map(({ name }) => `$${name}`);

  assert.deepEqual(names, manifest.contributes.problemMatchers.map(({ pattern }) => pattern));
});
