/** What a verdict is to a test: whether it passed, and what to say if it did not. */

import type { Formula } from "./protocol";

export type Outcome =
  | { readonly kind: "passed"; readonly milliseconds: number }
  | { readonly kind: "failed" | "errored"; readonly message: string; readonly milliseconds: number }
  | { readonly kind: "skipped" };

/** Return the outcome of a formula. An answer that is none, or none that the file expects, is an error and no failure. */
export function outcomeOf(formula: Formula): Outcome {
  const { verdict, state, expected } = formula;
  if (verdict === null || state === "none" || state === "running") {
    return { kind: "skipped" };
  }
  const milliseconds = verdict.seconds * 1000;
  if (verdict.asExpected) {
    return { kind: "passed", milliseconds };
  }
  const open = verdict.value === "unknown" || verdict.value === "undefined";
  const lines = [`${verdict.value}, expected ${expected}`, verdict.reason, formula.text];
  const message = lines.filter((line) => line !== "").join("\n");
  return { kind: open ? "errored" : "failed", message, milliseconds };
}
