/** Draws icon.png from icon.svg with whatever Chromium is at hand; only needed when the drawing changes. */

import { execFileSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const options = ["--headless", "--no-sandbox", "--hide-scrollbars", "--window-size=128,128", "--default-background-color=00000000"];
const file = `--screenshot=${join(here, "icon.png")}`;
execFileSync(process.env.CHROMIUM ?? "chromium", [...options, file, pathToFileURL(join(here, "icon.svg")).href], { stdio: "ignore" });
