/** What happens when the server ends by itself: how often it is started again, and what is told about it. */

/** How the server ended, as far as that is known. */
export interface Ending {
  readonly status: number | null;
  readonly signal: string | null;
  /** The last lines that it printed for people. */
  readonly lines: readonly string[];
}

export interface Versions {
  readonly extension: string;
  readonly editor: string;
  readonly platform: string;
  readonly server: string;
  readonly program: string;
}

const MOST = 4;
const WITHIN = 3 * 60 * 1000;

/** Counts ends. Four within three minutes are followed by another start, the fifth is not. */
export class Tally {
  private times: number[] = [];

  /** Return whether to start again after an end at this time, in milliseconds. */
  again(now: number): boolean {
    this.times = [...this.times.filter((time) => now - time < WITHIN), now];
    return this.times.length <= MOST;
  }
}

/** Keeps the last lines of what comes in pieces. */
export class Tail {
  private text = "";

  constructor(private readonly most = 40) {}

  add(piece: string): void {
    // A line without an end must not fill the memory.
    this.text = (this.text + piece).slice(-20_000).split("\n").slice(-this.most - 1).join("\n");
  }

  lines(): string[] {
    return this.text.split(/\r?\n/u).filter((line) => line.trim() !== "");
  }
}

/** Return whether the program refused to be a language server: its status says so, before a word was exchanged. */
export function refused(ending: Ending, greeted: boolean): boolean {
  return !greeted && ending.status === 2;
}

/** Return what we would like to be sent, without the name of the user's home. */
export function report(versions: Versions, ending: Ending, home: string): string {
  const how = ending.signal === null ? `status ${ending.status ?? "unknown"}` : `signal ${ending.signal}`;
  const text = [
    "The language server of Gnomon ended by itself.",
    "",
    `Extension: ${versions.extension}`,
    `Gnomon: ${versions.server} (${versions.program})`,
    `Editor: ${versions.editor}`,
    `Platform: ${versions.platform}`,
    `Ended with: ${how}`,
    "",
    "Its last lines:",
    ...(ending.lines.length === 0 ? ["(none)"] : ending.lines),
    "",
  ].join("\n");
  return home.length > 1 ? text.replaceAll(home, "~") : text;
}
