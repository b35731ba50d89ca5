import assert from "node:assert/strict";
import { test } from "node:test";
import { candidates, inside, type Surroundings } from "../src/finding";

const LINUX: Surroundings = {
  setting: "",
  folders: ["/projects/models"],
  interpreter: undefined,
  path: "/usr/local/bin:bin::/usr/bin",
  home: "/home/ann",
  windows: false,
  trusted: true,
};
const WINDOWS: Surroundings = {
  ...LINUX,
  folders: ["C:\\models"],
  path: "C:\\Tools;tools;C:\\Windows",
  home: "C:\\Users\\ann",
  windows: true,
};

function programs(around: Surroundings): string[] {
  return candidates(around).map(({ program }) => program);
}

test("environments of the folder come before the path, and relative entries of the path are left out", () => {
  assert.deepEqual(programs(LINUX), [
    "/projects/models/.venv/bin/gnomon",
    "/projects/models/venv/bin/gnomon",
    "/projects/models/env/bin/gnomon",
    "/usr/local/bin/gnomon",
    "/usr/bin/gnomon",
  ]);
});

test("on Windows programs have their ending and environments their folder", () => {
  assert.deepEqual(programs(WINDOWS), [
    "C:\\models\\.venv\\Scripts\\gnomon.exe",
    "C:\\models\\venv\\Scripts\\gnomon.exe",
    "C:\\models\\env\\Scripts\\gnomon.exe",
    "C:\\Tools\\gnomon.exe",
    "C:\\Windows\\gnomon.exe",
  ]);
});

test("the environment of the Python extension comes first, whether it names a folder or an interpreter", () => {
  const interpreter = "/programs/py/bin/python";

  assert.deepEqual(programs({ ...LINUX, interpreter }).slice(0, 2), [
    "/programs/py/bin/python/bin/gnomon",
    "/programs/py/bin/gnomon",
  ]);
  assert.equal(programs({ ...LINUX, interpreter: "/programs/py" })[0], "/programs/py/bin/gnomon");
});

test("a setting is all there is", () => {
  assert.deepEqual(programs({ ...LINUX, setting: " /programs/gnomon " }), ["/programs/gnomon"]);
  assert.deepEqual(programs({ ...LINUX, setting: "~/bin/gnomon" }), ["/home/ann/bin/gnomon"]);
  assert.deepEqual(programs({ ...LINUX, setting: "tools/gnomon" }), ["/projects/models/tools/gnomon"]);
  assert.deepEqual(programs({ ...LINUX, setting: "${workspaceFolder}/g" }), ["/projects/models/g"]);
});

test("nothing of a folder that is not trusted is run, however it is named", () => {
  const untrusted = { ...LINUX, trusted: false };

  assert.deepEqual(programs(untrusted), ["/usr/local/bin/gnomon", "/usr/bin/gnomon"]);
  assert.deepEqual(programs({ ...untrusted, setting: "/usr/bin/../../projects/models/g" }), []);
  assert.deepEqual(programs({ ...untrusted, setting: "./g" }), []);
  assert.deepEqual(programs({ ...untrusted, path: "/projects/models/bin" }), []);
  assert.deepEqual(programs({ ...untrusted, path: "", interpreter: "/projects/models/.env/bin/python" }), []);
  assert.deepEqual(programs({ ...WINDOWS, trusted: false, path: "c:\\MODELS\\bin;D:\\x" }), ["D:\\x\\gnomon.exe"]);
});

test("a folder with a longer name is another folder", () => {
  assert.equal(true, inside("/projects/models/..g/gnomon", LINUX));
  assert.equal(false, inside("/projects/models2/gnomon", LINUX));
  assert.equal(false, inside("/projects/gnomon", LINUX));
});

test("no place is looked at twice", () => {
  assert.equal(programs({ ...LINUX, path: "/usr/bin:/usr/bin" }).filter((one) => one === "/usr/bin/gnomon").length, 1);
});
