// The text is coloured by the grammar that all editors share.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { load } from "./bundle.mjs";

const { stylesOf } = await load("text/ispl.ts");
const grammar = JSON.parse(await readFile(new URL("../../editors/grammar/ispl.tmLanguage.json", import.meta.url), "utf8"));

const PROGRAM = `-- A comment.
Constants
  n = 3;
end Constants
Agent Sender
  Vars:
    K : { A, B };
    x : 0..n;
  end Vars
  Actions = { go : one };
  Evolution:
    x = x mod 2 if Action = go and K = A;
  end Evolution
end Agent
Evaluation
  done if Sender.x = 1;
end Evaluation
Formulae
  --! sure expect false
  AG (done -> K(Sender, done));
  reached : EF (done or LTL G F done) expect true;
end Formulae`;

function styleAt(text, line, word) {
  const found = stylesOf(text)[line - 1].find((part) => part.text === word);
  return found ? found.style : undefined;
}

test("words of sections, and names that they declare", () => {
  assert.equal(styleAt(PROGRAM, 1, "-- A comment."), "aside");
  assert.equal(styleAt(PROGRAM, 2, "Constants"), "section");
  assert.equal(styleAt(PROGRAM, 3, "n"), "fixed");
  assert.equal(styleAt(PROGRAM, 5, "Sender"), "owner");
  assert.equal(styleAt(PROGRAM, 9, "end"), "end");
  assert.equal(styleAt(PROGRAM, 16, "done"), "named");
});

test("a word of formulae is a name outside them", () => {
  assert.notEqual(styleAt(PROGRAM, 7, "K"), "epistemic");
  assert.equal(styleAt(PROGRAM, 20, "K"), "epistemic");
  assert.equal(styleAt(PROGRAM, 20, "AG"), "temporal");
  assert.equal(styleAt(PROGRAM, 21, "LTL"), "temporal");
});

test("words of our own are special where they stand", () => {
  assert.equal(styleAt(PROGRAM, 12, "mod"), "sign");
  assert.equal(styleAt(PROGRAM, 12, "Action"), "special");
  assert.equal(styleAt(PROGRAM, 19, "expect"), "word");
  assert.equal(styleAt(PROGRAM, 21, "false"), undefined);
  assert.equal(styleAt(PROGRAM, 21, "true"), "truth");
});

test("every word of the grammar that opens a section is one here", () => {
  const words = new Set(JSON.stringify(grammar).match(/\b(?:Obsvars|Lobsvars|RedStates|Protocol|Fairness|Groups|InitStates|TerminalStates|Definitions|Types|Relations|Axioms|Predicates)\b/g));
  for (const word of words) assert.equal(styleAt(`${word}:`, 1, word), "section", word);
});

test("nothing hangs, whatever is typed", () => {
  for (const text of ["end end end", "Formulae Formulae", "\u0000\u{1F600} <<>> [[", "--! expect", "Agent", "a".repeat(50_000)]) {
    assert.equal(stylesOf(text).flat().map((part) => part.text).join(""), text);
  }
});
