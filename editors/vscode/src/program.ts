/** The program `gnomon` on this machine: found, or asked for. */

import { constants } from "node:fs";
import { access, realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import * as vscode from "vscode";
import { candidates, inside, type Surroundings } from "./finding";

/** The part of the Python extension's API that is used. */
interface PythonApi {
  readonly environments: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { readonly path: string };
    readonly onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
  };
}

const WINDOWS = process.platform === "win32";

/** Return the program to run, or nothing. */
export async function findProgram(): Promise<string | undefined> {
  const around = await surroundings();
  for (const { program } of candidates(around)) {
    if (await runs(program, around)) {
      return program;
    }
  }
  return undefined;
}

/** Return the API of the Python extension, where it is installed. */
export async function python(): Promise<PythonApi | undefined> {
  const extension = vscode.extensions.getExtension<PythonApi>("ms-python.python");
  try {
    return await extension?.activate();
  } catch {
    return undefined; // Its failure is its own to tell.
  }
}

async function surroundings(): Promise<Surroundings> {
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
  return {
    setting: vscode.workspace.getConfiguration("gnomon").get("path", ""),
    folders: folders.map(({ uri }) => uri.fsPath),
    interpreter: await interpreter(folders[0]?.uri),
    path: process.env["PATH"] ?? process.env["Path"] ?? "",
    home: homedir(),
    windows: WINDOWS,
    trusted: vscode.workspace.isTrusted,
  };
}

async function interpreter(folder: vscode.Uri | undefined): Promise<string | undefined> {
  try {
    return (await python())?.environments.getActiveEnvironmentPath(folder).path;
  } catch {
    return undefined; // Older versions have no such function.
  }
}

/** Return whether a program is there and may be run. A link out of a folder that is not trusted is not followed. */
async function runs(program: string, around: Surroundings): Promise<boolean> {
  try {
    await access(program, WINDOWS ? constants.F_OK : constants.X_OK);
    if (!(await stat(program)).isFile()) {
      return false;
    }
    const real = await realpath(program);
    const folders = await Promise.all(around.folders.map((folder) => realpath(folder).catch(() => folder)));
    return around.trusted || !inside(real, { folders, windows: WINDOWS });
  } catch {
    return false;
  }
}
