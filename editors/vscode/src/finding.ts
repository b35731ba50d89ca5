/** Where the program may be. Paths only: nothing here looks at the disk, so that all systems can be tested on one. */

import { posix, win32 } from "node:path";

export interface Surroundings {
  /** The setting `gnomon.path`. */
  readonly setting: string;
  readonly folders: readonly string[];
  /** What the Python extension names: an interpreter, or the folder of an environment. */
  readonly interpreter: string | undefined;
  /** The environment variable. */
  readonly path: string;
  readonly home: string;
  readonly windows: boolean;
  readonly trusted: boolean;
}

export interface Candidate {
  readonly program: string;
  readonly origin: "setting" | "environment" | "folder" | "path";
}

const ENVIRONMENTS = [".venv", "venv", "env"];

/**
 * Return the places to look at, the best first. A setting is meant: where there is one, nothing else is tried. In folders
 * that are not trusted nothing is run, however it is named.
 */
export function candidates(around: Surroundings): Candidate[] {
  const found =
    around.setting.trim() === ""
      ? [...besideInterpreter(around), ...inFolders(around), ...onPath(around)]
      : [{ program: expanded(around), origin: "setting" as const }];
  const allowed = around.trusted ? found : found.filter(({ program }) => !inside(program, around));
  const programs = new Set<string>();
  return allowed.filter(({ program }) => !programs.has(program) && programs.add(program));
}

/** Return whether a path is in one of the workspace's folders. */
export function inside(path: string, { folders, windows }: Pick<Surroundings, "folders" | "windows">): boolean {
  const paths = windows ? win32 : posix;
  return folders.some((folder) => {
    const way = paths.relative(folder, path);
    return way !== ".." && !way.startsWith(`..${paths.sep}`) && !paths.isAbsolute(way);
  });
}

function expanded({ setting, folders, home, windows }: Surroundings): string {
  const paths = windows ? win32 : posix;
  const folder = folders[0] ?? home;
  const written = setting.trim().replaceAll("${workspaceFolder}", folder).replace(/^~(?=$|[/\\])/u, home);
  return paths.resolve(folder, written);
}

function besideInterpreter(around: Surroundings): Candidate[] {
  const { interpreter, windows } = around;
  if (interpreter === undefined || interpreter === "") {
    return [];
  }
  const paths = windows ? win32 : posix;
  const programs = [inEnvironment(interpreter, windows), paths.join(paths.dirname(interpreter), name(windows))];
  return programs.map((program) => ({ program, origin: "environment" }));
}

function inFolders({ folders, windows }: Surroundings): Candidate[] {
  const paths = windows ? win32 : posix;
  return folders.flatMap((folder) =>
    ENVIRONMENTS.map((environment) => ({
      program: inEnvironment(paths.join(folder, environment), windows),
      origin: "folder",
    })),
  );
}

/** Relative entries of the path would name something in whatever folder is the current one, so they are left out. */
function onPath({ path, windows }: Surroundings): Candidate[] {
  const paths = windows ? win32 : posix;
  return path
    .split(paths.delimiter)
    .filter((folder) => paths.isAbsolute(folder))
    .map((folder) => ({ program: paths.join(folder, name(windows)), origin: "path" }));
}

function inEnvironment(folder: string, windows: boolean): string {
  return windows ? win32.join(folder, "Scripts", name(windows)) : posix.join(folder, "bin", name(windows));
}

function name(windows: boolean): string {
  return windows ? "gnomon.exe" : "gnomon";
}
