/**
 * As much of VS Code as it takes to start a language server without VS Code. What is not written out here is something
 * that can be called, made, asked and thrown away, and does nothing.
 */

type Anything = any;

/** Return something that takes whatever is done to it. */
function anything(): Anything {
  const made = class {};
  Reflect.deleteProperty(made, "name"); // else nothing could be called a name
  const known = new Map<PropertyKey, Anything>();
  const one: Anything = new Proxy(made, {
    get(target, key): Anything {
      if (key === "prototype") {
        return target.prototype;
      }
      if (key === Symbol.toPrimitive) {
        return () => 0;
      }
      if (typeof key === "symbol" || key === "then") {
        return undefined;
      }
      if (!known.has(key)) {
        known.set(key, anything());
      }
      return known.get(key);
    },
    set: (_, key, value) => (known.set(key, value), true),
    apply: () => anything(),
  });
  return one;
}

/** Return an object whose other members are anything. */
function partly(members: Record<string, Anything>): Anything {
  const others = anything();
  return new Proxy(members, { get: (target, key) => (key in target ? target[key as string] : others[key]) });
}

class EventEmitter {
  private listeners: Anything[] = [];
  event = (listener: Anything): Anything => {
    this.listeners.push(listener);
    return { dispose: () => undefined };
  };
  fire(value: Anything): void {
    this.listeners.forEach((listener) => listener(value));
  }
  dispose(): void {
    this.listeners = [];
  }
}

class Uri {
  constructor(readonly path: string) {}
  readonly scheme = "file";
  get fsPath(): string {
    return this.path;
  }
  toString(): string {
    return `file://${this.path}`;
  }
  static file(path: string): Uri {
    return new Uri(path);
  }
  static parse(text: string): Uri {
    return new Uri(text.replace(/^file:\/\//u, ""));
  }
  static joinPath(uri: Uri, ...parts: string[]): Uri {
    return new Uri([uri.path, ...parts].join("/"));
  }
}

const settings: Record<string, unknown> = {};
/** What people were told, and the buttons that they had. */
const told: { words: string; buttons: string[] }[] = [];
/** What came into the output. */
const output: string[] = [];
const contexts: Record<string, unknown> = {};
const commands = new Map<string, () => unknown>();
const workspaceState = { trusted: true, folders: [] as { uri: Uri }[] };
/** What is answered to messages: the name of a button, or nothing. */
const answers: string[] = [];
const clipboard: string[] = [];

const channel = partly({
  append: (text: string) => void output.push(text),
  appendLine: (text: string) => void output.push(`${text}\n`),
});
const configuration = (section: string) =>
  partly({ get: (key: string, fallback: unknown) => settings[`${section}.${key}`] ?? fallback });
const never = () => ({ dispose: () => undefined });

const vscode: Anything = partly({
  version: "1.91.1",
  EventEmitter,
  Uri,
  Disposable: class {
    static from = () => ({ dispose: () => undefined });
  },
  env: partly({ appName: "Fake", clipboard: { writeText: async (text: string) => void clipboard.push(text) } }),
  commands: partly({
    registerCommand: (name: string, run: () => unknown) => (commands.set(name, run), { dispose: () => commands.delete(name) }),
    executeCommand: async (name: string, key: string, value: unknown) =>
      name === "setContext" ? (contexts[key] = value) : commands.get(name)?.(),
  }),
  extensions: partly({ getExtension: () => undefined }),
  languages: partly({ match: () => 0 }),
  tests: partly({}),
  window: partly({
    createOutputChannel: () => channel,
    showErrorMessage: async (words: string, ...buttons: string[]) => (told.push({ words, buttons }), answers.shift()),
    activeTextEditor: undefined,
    visibleTextEditors: [],
    tabGroups: partly({ all: [], onDidChangeTabGroups: never, onDidChangeTabs: never }),
  }),
  workspace: partly({
    getConfiguration: configuration,
    get isTrusted() {
      return workspaceState.trusted;
    },
    get workspaceFolders() {
      return workspaceState.folders;
    },
    textDocuments: [],
    notebookDocuments: [],
  }),
});

const fake = { settings, told, output, contexts, commands, workspaceState, answers, clipboard, Uri };
const lookup = new Proxy({}, { get: (_, key) => (key === "__fake" ? fake : vscode[key]) });
// Bundles copy the members of a module and keep its prototype; members that nobody wrote down are the prototype's.
const everything: { readonly __fake: typeof fake } = Object.create(lookup);
export = everything;
