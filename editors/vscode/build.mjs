/** Bundles the extension for node and for the browser, and copies what is kept elsewhere in the project. */

import { build } from "esbuild";
import { copyFile, mkdir, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const project = join(here, "..", "..");
const tests = process.argv.includes("--tests");

const common = { bundle: true, absWorkingDir: here, logLevel: "warning", legalComments: "none", target: "es2022" };

/** The script of the panel, as a text that the panel puts under its nonce. */
const panelScript = {
  name: "panel",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^gnomon:panel$/ }, () => ({ path: "panel", namespace: "gnomon" }));
    onLoad({ filter: /.*/, namespace: "gnomon" }, async () => {
      const options = { ...common, entryPoints: ["src/webview/panel.ts"], format: "iife", minify: true, write: false };
      const { outputFiles } = await build(options);
      return { contents: outputFiles[0].text, loader: "text" };
    });
  },
};

function bundle(name, platform) {
  return build({
    ...common,
    entryPoints: [`src/${name}.ts`],
    outfile: `dist/${name}.js`,
    platform,
    format: "cjs",
    minify: true,
    external: ["vscode"],
    mainFields: platform === "browser" ? ["browser", "module", "main"] : ["main"],
    plugins: [panelScript],
    metafile: true,
  });
}

/** Collect the licences of what is bundled: whoever passes the bundle on has to pass them on. */
async function licences(metafiles) {
  const inputs = metafiles.flatMap(({ inputs }) => Object.keys(inputs));
  const packages = new Set(inputs.flatMap((path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? []));
  const texts = await Promise.all([...packages].sort().map(licence));
  return writeFile(join(here, "dist", "licences.txt"), `${texts.join("\n\n")}\n`);
}

async function licence(folder) {
  const { name, version, license } = JSON.parse(await readFile(join(here, folder, "package.json"), "utf8"));
  const file = (await readdir(join(here, folder))).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file === undefined ? "" : await readFile(join(here, folder, file), "utf8");
  return `${name} ${version} (${license})\n\n${text.trim()}`;
}

async function copies() {
  await copyFile(join(project, "editors", "grammar", "ispl.tmLanguage.json"), join(here, "dist", "ispl.tmLanguage.json"));
  await copyFile(join(project, "examples", "bit_transmission.ispl"), join(here, "dist", "bit_transmission.ispl"));
  await copyFile(join(project, "LICENSE"), join(here, "LICENSE"));
}

async function buildTests() {
  await rm(join(here, "dist", "test"), { recursive: true, force: true });
  const entryPoints = (await readdir(join(here, "test"))).filter((name) => name.endsWith(".test.ts"));
  const places = { entryPoints: entryPoints.map((name) => `test/${name}`), outdir: "dist/test", outbase: "test" };
  const alias = { vscode: join(here, "test", "fake-vscode.ts") };
  await build({ ...common, ...places, alias, plugins: [panelScript], platform: "node", format: "cjs", sourcemap: "inline" });
}

async function buildExtension() {
  await mkdir(join(here, "dist"), { recursive: true });
  await copies();
  const results = await Promise.all([bundle("node", "node"), bundle("browser", "browser")]);
  await licences(results.map(({ metafile }) => metafile));
}

await (tests ? buildTests() : buildExtension());
