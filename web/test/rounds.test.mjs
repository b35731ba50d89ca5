// How numbers were cut into cells, read from the account of a check.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./bundle.mjs";

const { cuttingOf, valueOf } = await load("player/rounds.ts");

const predicates = [
  { text: "E.x - E.y <= 0", origin: "formula 1, line 3" },
  { text: "E.x <= -1", origin: "initial states" },
  { text: "E.x - E.y <= -1", origin: "to decide AG safe" },
  { text: "E.x - E.y <= -1", origin: "to decide EF safe" },
  { text: "E.x mod 2 = 0", origin: "formula 2, line 4" },
];
const account = [
  { name: "cells", text: "3 reachable of 8" },
  { name: "refinement", text: "round 1: what cannot go on for ever, since a number would run out" },
  { name: "refinement", text: "round 2: `AG safe` is open; what leads to different cells is told apart: E.x - E.y <= -1, E.x <= -1" },
];

test("what no round has told apart was there at first", () => {
  const { stages, cuts } = cuttingOf(predicates, account);

  assert.deepEqual(stages[0].added, ["E.x - E.y <= 0", "E.x mod 2 = 0"]);
  assert.deepEqual(cuts.map((cut) => cut.stage), [0, 1, 1]);
});

test("a round that tells nothing apart is no stage, and every cut is there once", () => {
  const { stages, cuts, others } = cuttingOf(predicates, account);

  assert.deepEqual(stages.map((stage) => stage.title), ["At first", "round 2"]);
  assert.equal(stages[1].words, "`AG safe` is open; what leads to different cells is told apart");
  assert.deepEqual(cuts.map((cut) => [cut.quantity, cut.bound]), [["E.x - E.y", 0], ["E.x", -1], ["E.x - E.y", -1]]);
  assert.deepEqual(others.map((each) => each.text), ["E.x mod 2 = 0"]);
});

test("a quantity has a value where all its variables have one", () => {
  const values = { "E.x": 5, "E.y": 3, "E.name": "red" };

  assert.equal(valueOf("E.x - E.y", (name) => values[name]), 2);
  assert.equal(valueOf("2*E.x + E.y", (name) => values[name]), 13);
  assert.equal(valueOf("E.x - E.name", (name) => values[name]), null);
  assert.equal(valueOf("E.gone", (name) => values[name]), null);
});
