import assert from "node:assert/strict";
import { test } from "node:test";
import { localAddress } from "../src/address";
import { Tail, Tally, refused, report } from "../src/crash";

test("the server is started again four times in three minutes and not a fifth time", () => {
  const tally = new Tally();

  assert.deepEqual([true, true, true, true, false], [0, 1, 2, 3, 4].map((second) => tally.again(second * 1000)));
});

test("what was long ago does not count", () => {
  const tally = new Tally();
  [0, 1, 2, 3].forEach((second) => tally.again(second * 1000));

  assert.equal(true, tally.again(200_000));
});

test("only the last lines are kept, however they come in", () => {
  const tail = new Tail(2);
  ["one\ntw", "o\nthr", "ee\n"].forEach((piece) => tail.add(piece));

  assert.deepEqual(["two", "three"], tail.lines());
});

test("a line without end does not fill the memory", () => {
  const tail = new Tail();
  for (let i = 0; i < 100; i += 1) {
    tail.add("x".repeat(1000));
  }

  assert.equal(20_000, tail.lines()[0]?.length);
});

test("a program that ends with status 2 before a word was said is no language server", () => {
  assert.equal(true, refused({ status: 2, signal: null, lines: [] }, false));
  assert.equal(false, refused({ status: 2, signal: null, lines: [] }, true));
  assert.equal(false, refused({ status: 1, signal: null, lines: [] }, false));
});

test("a report has versions and last lines, and not the name of the home", () => {
  const versions = { extension: "0.1.0", editor: "Code 1.91.1", platform: "linux x64", server: "0.1.0", program: "/home/ann/bin/gnomon" };
  const text = report(versions, { status: null, signal: "SIGSEGV", lines: ["File /home/ann/x.py"] }, "/home/ann");

  assert.match(text, /Gnomon: 0\.1\.0 \(~\/bin\/gnomon\)/u);
  assert.match(text, /Ended with: signal SIGSEGV/u);
  assert.match(text, /File ~\/x\.py/u);
  assert.doesNotMatch(text, /ann/u);
});

test("models are sent to this machine only", () => {
  assert.equal("ws://127.0.0.1:8765/", localAddress("ws://127.0.0.1:8765"));
  assert.equal("ws://localhost:1/lsp", localAddress(" ws://localhost:1/lsp "));
  assert.equal("ws://[::1]:9/", localAddress("ws://[::1]:9"));
  for (const bad of ["", "http://127.0.0.1", "ws://127.0.0.1.example", "ws://127.0.0.1@example", "ws://user@127.0.0.1", "ws://10.0.0.1", "nonsense"]) {
    assert.equal(undefined, localAddress(bad), bad);
  }
});
