/** Tasks: one for the file in the editor, one for all models of a folder, and those that people write themselves. */

import * as vscode from "vscode";
import { findProgram } from "./program";

interface GnomonTask extends vscode.TaskDefinition {
  readonly command: "check" | "test";
  readonly path?: string;
  readonly args?: readonly string[];
}

const MATCHERS = { check: ["$gnomon"], test: ["$gnomon", "$gnomon-test"] };

/** Offer tasks. In a folder that is not trusted VS Code runs none. */
export function registerTasks(): vscode.Disposable {
  return vscode.tasks.registerTaskProvider("gnomon", {
    provideTasks: async () => {
      const program = await findProgram();
      const folders = vscode.workspace.workspaceFolders ?? [];
      return program === undefined ? [] : folders.flatMap((folder) => offered(program, folder));
    },
    resolveTask: async (task) => {
      const definition = task.definition as GnomonTask;
      const program = await findProgram();
      const folder = typeof task.scope === "object" ? task.scope : vscode.workspace.workspaceFolders?.[0];
      return program === undefined || folder === undefined ? undefined : made(program, folder, definition, task.name);
    },
  });
}

function offered(program: string, folder: vscode.WorkspaceFolder): vscode.Task[] {
  const whole = made(program, folder, { type: "gnomon", command: "test" }, "test all models");
  whole.group = vscode.TaskGroup.Test;
  return [made(program, folder, { type: "gnomon", command: "check" }, "check the file in the editor"), whole];
}

function made(program: string, folder: vscode.WorkspaceFolder, definition: GnomonTask, name: string): vscode.Task {
  const { command, args = [] } = definition;
  const path = definition.path ?? (command === "check" ? "${file}" : ".");
  // A process and no shell: names of files are no commands.
  const execution = new vscode.ProcessExecution(program, [command, path, ...args], { cwd: folder.uri.fsPath });
  return new vscode.Task(definition, folder, name, "gnomon", execution, MATCHERS[command]);
}
