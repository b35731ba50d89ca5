import assert from "node:assert/strict";
import { test } from "node:test";
import { outcomeOf } from "../src/outcomes";
import { formulaAt, type Formula, type Verdict } from "../src/protocol";
import { escape, outcome, row, shell, themed } from "../src/view";

const VERDICT: Verdict = {
  value: "false",
  asExpected: true,
  standing: "expected",
  seconds: 0.25,
  reason: "a run never gets there",
  strategies: null,
  evidence: true,
};

function formula(changes: Partial<Formula>): Formula {
  const range = { start: { line: 4, character: 2 }, end: { line: 5, character: 9 } };
  const base = { number: 1, label: "safe", name: "safe", text: "AG p", range, expected: "false", declared: true };
  return { ...base, state: "fresh", verdict: VERDICT, ...changes } as Formula;
}

const WRONG: Verdict = { ...VERDICT, value: "true", asExpected: false, standing: "unexpected" };

test("a mark says whether the verdict is as expected, and words say the value", () => {
  assert.equal(`${row(formula({})).mark} ${row(formula({})).words}`, "✓ false, as expected");
  assert.equal(`${row(formula({ verdict: WRONG })).mark} ${row(formula({ verdict: WRONG })).words}`, "✗ true, expected false");
});

test("a stale verdict is called stale, whatever it is", () => {
  for (const verdict of [VERDICT, WRONG]) {
    const stale = row(formula({ state: "stale", verdict }));

    assert.equal(true, stale.stale);
    assert.match(stale.words, / · stale$/u);
  }
});

test("what is not checked has no mark of a verdict", () => {
  assert.equal("·", row(formula({ state: "none", verdict: null })).mark);
  assert.equal("…", row(formula({ state: "running" })).mark);
  assert.equal("not checked", outcome(formula({ verdict: null })));
});

test("strategies are told, because they change what is asked", () => {
  assert.equal("false, as expected (uniform)", outcome(formula({ verdict: { ...VERDICT, strategies: "uniform" } })));
});

test("nothing that a model says becomes a part of the document", () => {
  const evil = `</title><script>alert("1")</script><img src=x onerror='alert(2)'>`;

  assert.equal("&lt;a href=&quot;x&quot; b=&#39;y&#39;&gt;&amp;", escape(`<a href="x" b='y'>&`));
  assert.doesNotMatch(shell(evil, "n0", "run()"), /<script>|<img/u);
});

test("only the script with the nonce is allowed, and it cannot end early", () => {
  const page = shell("t", "n0", `const a = "</script>";`);
  const [policy] = /content="([^"]*)"/u.exec(page)?.slice(1) ?? [];

  assert.equal(
    policy,
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'nonce-n0'; base-uri 'none'; form-action 'none'",
  );
  assert.equal(1, page.match(/<script/gu)?.length);
  assert.equal(1, page.match(/<\/script>/gu)?.length);
  assert.match(page, /<iframe id="page" sandbox="allow-same-origin"/u);
  assert.doesNotMatch(page, /allow-scripts/u);
});

test("a page has the colours of the editor and not those of the system", () => {
  const page = ":root { color-scheme: light dark; } @media (prefers-color-scheme: dark) { a }";

  assert.equal(":root { color-scheme: dark; } @media all { a }", themed(page, true));
  assert.equal(":root { color-scheme: light; } @media not all { a }", themed(page, false));
});

test("a formula is found at its text and at the rest of its lines", () => {
  const one = formula({});
  const two = formula({ number: 2, range: { start: { line: 5, character: 12 }, end: { line: 5, character: 20 } } });

  assert.equal(1, formulaAt([one, two], { line: 4, character: 0 })?.number);
  assert.equal(1, formulaAt([one, two], { line: 5, character: 9 })?.number);
  assert.equal(2, formulaAt([one, two], { line: 5, character: 15 })?.number);
  assert.equal(undefined, formulaAt([one, two], { line: 9, character: 0 }));
});

test("a test passes where the verdict is as expected and fails with value, expectation and reason", () => {
  assert.deepEqual({ kind: "passed", milliseconds: 250 }, outcomeOf(formula({})));
  assert.deepEqual(
    { kind: "failed", message: "true, expected false\na run never gets there\nAG p", milliseconds: 250 },
    outcomeOf(formula({ verdict: WRONG })),
  );
});

test("no answer is an error, and undefined is one unless it is expected", () => {
  const unknown: Verdict = { ...WRONG, value: "unknown", standing: "open" };
  const expected: Verdict = { ...VERDICT, value: "undefined" };

  assert.equal("errored", outcomeOf(formula({ verdict: unknown })).kind);
  assert.equal("errored", outcomeOf(formula({ verdict: { ...unknown, value: "undefined" } })).kind);
  assert.equal("passed", outcomeOf(formula({ expected: "undefined", verdict: expected })).kind);
  assert.equal("skipped", outcomeOf(formula({ state: "none", verdict: null })).kind);
});
