// Differences between the file on disk and the text that is here.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./bundle.mjs";

const { difference, near } = await load("dialogs/difference.ts");

const side = (lines, kind) => lines.filter((line) => line.kind === "same" || line.kind === kind).map((line) => line.text).join("\n");

test("both texts can be read from their difference", () => {
  const cases = [["", ""], ["a", "a"], ["a\nb\nc", "a\nc"], ["a\nc", "a\nb\nc"], ["x\ny", "y\nx"], ["", "new\nlines"], ["one\ntwo\none", "one\none\ntwo"]];
  for (const [theirs, mine] of cases) {
    const lines = difference(theirs, mine);
    assert.equal(side(lines, "theirs"), theirs);
    assert.equal(side(lines, "mine"), mine);
  }
});

test("random texts, too", () => {
  let seed = 7;
  const random = (below) => { seed = (seed * 1103515245 + 12345) % 2147483648; return seed % below; };
  for (let round = 0; round < 300; round++) {
    const text = () => Array.from({ length: random(12) }, () => "abc"[random(3)]).join("\n");
    const theirs = text(), mine = text();
    const lines = difference(theirs, mine);
    assert.equal(side(lines, "theirs"), theirs);
    assert.equal(side(lines, "mine"), mine);
  }
});

test("lines that are the same are only told near a difference", () => {
  const old = Array.from({ length: 100 }, (_, at) => `line ${at}`);
  const shown = near(difference(old.join("\n"), [...old.slice(0, 50), "more", ...old.slice(50)].join("\n")));
  assert.deepEqual(shown.map((line) => line?.text ?? null), [null, "line 47", "line 48", "line 49", "more", "line 50", "line 51", "line 52", null]);
});
