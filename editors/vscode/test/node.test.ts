/** The entry for VS Code on a machine, with servers that refuse, crash or serve, and without VS Code. */

import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, beforeEach, test } from "node:test";
import * as vscode from "vscode";
import { activate, deactivate } from "../src/node";
import type everything from "./fake-vscode";

const fake = (vscode as unknown as typeof everything).__fake;
const folder = mkdtempSync(join(tmpdir(), "gnomon-vscode-"));
const windows = process.platform === "win32";

/** A server that answers the first question, and then does as it is told. */
const SERVER = (then: string): string => `#!${process.execPath}
process.stdin.once("data", (data) => {
  const { id } = JSON.parse(String(data).split("\\r\\n\\r\\n")[1]);
  const body = JSON.stringify({ jsonrpc: "2.0", id, result: { capabilities: {}, serverInfo: { name: "g", version: "9.9" } } });
  process.stdout.write("Content-Length: " + body.length + "\\r\\n\\r\\n" + body);
  ${then}
});`;

/** A program takes a while to find out that it is no server, and is written to in the meantime. */
const REFUSES = "#!/bin/sh\n/bin/sleep 0.3\necho 'Error: there is no lsp' >&2\nexit 2\n";

function program(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, 0o755);
  return path;
}

async function start(): Promise<void> {
  const context = { subscriptions: [], extensionUri: fake.Uri.file(folder), extension: { id: "gnomon.gnomon", packageJSON: { version: "0.1.0" } } };
  await activate(context as unknown as vscode.ExtensionContext);
}

async function until(what: () => boolean, said: () => unknown): Promise<void> {
  const end = Date.now() + 15_000;
  while (!what()) {
    assert.ok(Date.now() < end, JSON.stringify(said()));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

beforeEach(async () => {
  await deactivate();
  [fake.told, fake.output, fake.answers, fake.clipboard].forEach((list) => (list.length = 0));
  fake.settings["gnomon.path"] = "";
  fake.workspaceState.trusted = true;
  fake.workspaceState.folders = [];
  process.env["PATH"] = folder;
});

after(async () => {
  await deactivate();
  rmSync(folder, { recursive: true });
});

test("without the program people are told how to get it", async () => {
  await start();
  await until(() => fake.told.length > 0, () => fake.output);

  assert.match(fake.told[0]?.words ?? "", /^Gnomon was not found\. Install it with pip install 'gnomon\[lsp\]'/u);
  assert.deepEqual(fake.told[0]?.buttons, ["Choose Path", "Try Again", "Open Walkthrough"]);
});

test("a program that refuses to be a server is not started again, and says why", { skip: windows }, async () => {
  fake.settings["gnomon.path"] = program(join(folder, "old"), REFUSES);
  await start();
  await until(() => fake.told.length > 0, () => fake.output);
  await new Promise((resolve) => setTimeout(resolve, 300));

  assert.equal(1, fake.told.length);
  assert.match(fake.told[0]?.words ?? "", /has no language server\..*\(Error: there is no lsp\)$/u);
});

test("a server that crashes is started again four times, and people get a report to send", { skip: windows }, async () => {
  const text = SERVER(`setTimeout(() => { console.error("Traceback: it broke"); process.exit(1); }, 30);`);
  fake.settings["gnomon.path"] = program(join(folder, "crashing"), text);
  fake.answers.push("Copy Report");
  await start();
  await until(() => fake.told.length > 1, () => fake.output);

  assert.deepEqual(
    ["The language server of Gnomon ended by itself and is started again.", "The language server of Gnomon keeps ending by itself and is not started again."],
    fake.told.map(({ words }) => words),
  );
  assert.equal(5, fake.output.filter((line) => line.startsWith("The language server of Gnomon ended by itself.")).length);
  assert.match(fake.clipboard[0] ?? "", /Gnomon: 9\.9 [^]*Ended with: status 1[^]*Traceback: it broke/u);
});

test("the server of the workspace's environment is started if the workspace is trusted", { skip: windows }, async () => {
  const place = join(folder, "work");
  program(join(place, ".venv", "bin", "gnomon"), SERVER(`console.error("here I am");`));
  fake.workspaceState.folders = [{ uri: fake.Uri.file(place) }];
  await start();
  await until(() => fake.output.join("").includes("here I am"), () => fake.output);

  assert.deepEqual([], fake.told);
});

test("the real server gets to its feet", { skip: process.env["GNOMON"] === undefined }, async () => {
  fake.settings["gnomon.path"] = process.env["GNOMON"];
  await start();
  await until(() => fake.contexts["gnomon.running"] === true, () => [fake.told, fake.output]);

  assert.deepEqual([], fake.told);
});

test("nothing of a workspace is started that is not trusted", { skip: windows }, async () => {
  const place = join(folder, "work");
  fake.workspaceState.folders = [{ uri: fake.Uri.file(place) }];
  fake.workspaceState.trusted = false;
  await start();
  await until(() => fake.told.length > 0, () => fake.output);

  assert.match(fake.told[0]?.words ?? "", /it is not trusted\.$/u);
  assert.doesNotMatch(fake.output.join(""), /here I am/u);
});
