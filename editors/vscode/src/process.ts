/** The language server as a process of this machine. */

import { spawn, type ChildProcess } from "node:child_process";
import { dirname } from "node:path";
import { Tail, type Ending } from "./crash";

const PATIENCE = 2000;

export class ServerProcess {
  private child: ChildProcess | undefined;
  private tail = new Tail();
  private ended: Promise<Ending> = Promise.resolve({ status: null, signal: null, lines: [] });

  constructor(readonly program: string) {}

  /** Start the server; its standard streams are the connection. */
  start(): Promise<ChildProcess> {
    // The folder of the program and not that of a model: whatever Python is started below must not import from there.
    const env = { ...process.env, PYTHONSAFEPATH: "1" };
    const child = spawn(this.program, ["lsp"], { cwd: dirname(this.program), env, stdio: "pipe" });
    const tail = new Tail();
    child.stderr.setEncoding("utf8").on("data", (piece: string) => tail.add(piece));
    this.child = child;
    this.tail = tail;
    this.ended = new Promise((resolve) => {
      child.once("close", (status, signal) => resolve({ status, signal, lines: tail.lines() }));
    });
    return new Promise((resolve, reject) => {
      child.once("spawn", () => resolve(child));
      child.once("error", reject);
    });
  }

  /** Return how the process ended. It closes its streams a little before it ends, so wait a little. */
  ending(): Promise<Ending> {
    const unknown: Ending = { status: null, signal: null, lines: this.tail.lines() };
    return Promise.race([this.ended, new Promise<Ending>((resolve) => setTimeout(resolve, PATIENCE, unknown))]);
  }

  /** End the process if it has not done so by itself: ask first, and do not ask twice. */
  kill(): void {
    const child = this.child;
    if (child !== undefined && child.exitCode === null && child.signalCode === null) {
      child.stdin?.end();
      child.kill();
      const timer = setTimeout(() => child.kill("SIGKILL"), PATIENCE).unref();
      child.once("exit", () => clearTimeout(timer));
    }
  }
}
