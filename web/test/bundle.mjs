// Modules of the page for tests: bundled as they are for browsers, and loaded here.

import { writeFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import * as esbuild from "esbuild";

const web = join(dirname(fileURLToPath(import.meta.url)), "..");

/** What a module of the page exports, given its path below `src`. */
export async function load(path) {
  const built = await esbuild.build({ absWorkingDir: web, entryPoints: [join("src", path)], bundle: true, format: "esm", platform: "neutral", mainFields: ["module", "main"], write: false, jsx: "automatic", jsxImportSource: "preact" });
  const folder = await mkdtemp(join(tmpdir(), "gnomon-page-"));
  const file = join(folder, "module.mjs");
  await writeFile(file, built.outputFiles[0].text);
  try {
    return await import(pathToFileURL(file).href);
  } finally {
    await rm(folder, { recursive: true });
  }
}
