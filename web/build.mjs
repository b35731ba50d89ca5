// Builds the page into the package: one script, one style sheet, the page itself, and the licences of what is in them.

import { createHash } from "node:crypto";
import { cp, mkdir, readFile, readdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const target = join(here, "..", "src", "gnomon", "interfaces", "studio", "static");
/** What is being built stands elsewhere, until it is whole. */
const fresh = join(here, "node_modules", ".page");
const watch = process.argv.includes("--watch");

const options = {
  absWorkingDir: here,
  entryPoints: { app: "src/main.tsx", style: "src/style.css" },
  outdir: fresh,
  bundle: true,
  format: "esm",
  target: ["chrome110", "firefox110", "safari16"],
  jsx: "automatic",
  jsxImportSource: "preact",
  minify: !watch,
  legalComments: "none",
  metafile: true,
  logLevel: "warning",
};

/** What the page is made of, so that a build that is older is noticed. */
async function digestOfSources() {
  const hash = createHash("sha256");
  const files = ["../editors/grammar/ispl.tmLanguage.json", "package-lock.json", "build.mjs", "index.html", "tsconfig.json"];
  const src = await readdir(join(here, "src"), { recursive: true, withFileTypes: true });
  for (const entry of src) if (entry.isFile()) files.push(relative(here, join(entry.parentPath, entry.name)).replaceAll("\\", "/"));
  for (const file of files.sort()) {
    hash.update(file).update("\0").update(await readFile(join(here, file))).update("\0");
  }
  return hash.digest("hex");
}

/** The licences of all packages that are in the bundle. */
async function licences(inputs) {
  const packages = new Set();
  for (const path of Object.keys(inputs)) {
    const found = /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path);
    if (found) packages.add(found[1]);
  }
  const parts = [];
  for (const name of [...packages].sort()) {
    const folder = join(here, "node_modules", name);
    const about = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    const file = (await readdir(folder)).find((each) => /^licen[cs]e/i.test(each));
    const text = file ? await readFile(join(folder, file), "utf8") : `(${about.license})`;
    parts.push(`${name} ${about.version}\n\n${text.trim()}\n`);
  }
  return parts.join(`\n${"-".repeat(80)}\n\n`);
}

await rm(fresh, { recursive: true, force: true });
await mkdir(fresh, { recursive: true });
const built = await esbuild.build(options);
await cp(join(here, "index.html"), join(fresh, "index.html"));
await writeFile(join(fresh, "LICENCES.txt"), await licences(built.metafile.inputs));
await writeFile(join(fresh, "sources.sha256"), await digestOfSources());
await rm(target, { recursive: true, force: true });
await rename(fresh, target);
if (watch) {
  const context = await esbuild.context({ ...options, outdir: target });
  await context.watch();
}
