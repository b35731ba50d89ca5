// Boxes by the arrow keys.

import assert from "node:assert/strict";
import { test } from "node:test";
import { load } from "./bundle.mjs";

const { neighbour } = await load("pictures/neighbours.ts");

const box = (number, x, y) => ({ number, x, y, width: 10, height: 10 });
const boxes = [box(0, 50, 0), box(1, 0, 100), box(2, 60, 100), box(3, 62, 200)];

test("the nearest box in a direction comes next, and what lies straight on before what lies aside", () => {
  assert.equal(neighbour(boxes[0], boxes, [0, 1])?.number, 2);
  assert.equal(neighbour(boxes[2], boxes, [0, 1])?.number, 3);
  assert.equal(neighbour(boxes[1], boxes, [1, 0])?.number, 2);
});

test("where nothing lies that way nothing comes next", () => {
  assert.equal(neighbour(boxes[0], boxes, [0, -1]), null);
  assert.equal(neighbour(boxes[3], boxes, [0, 1]), null);
});
