// A file system in the memory of the workbench, with the models that the test serves beside it.
"use strict";

const vscode = require("vscode");

class Files {
  constructor(address) {
    this.address = address;
    this.texts = new Map();
    this.changes = new vscode.EventEmitter();
    this.onDidChangeFile = this.changes.event;
  }

  watch() {
    return new vscode.Disposable(() => undefined);
  }

  async names() {
    return (await fetch(`${this.address}/models/`)).json();
  }

  async stat(uri) {
    const folder = uri.path === "/" || uri.path === "/models";
    if (!folder && !this.texts.has(uri.path) && !(await this.names()).includes(uri.path.slice("/models/".length))) {
      throw vscode.FileSystemError.FileNotFound(uri);
    }
    const type = folder ? vscode.FileType.Directory : vscode.FileType.File;
    const size = folder ? 0 : (await this.readFile(uri)).length;
    return { type, ctime: 0, mtime: this.texts.has(uri.path) ? 1 : 0, size };
  }

  async readDirectory() {
    return (await this.names()).map((name) => [name, vscode.FileType.File]);
  }

  async readFile(uri) {
    if (!this.texts.has(uri.path)) {
      const answer = await fetch(`${this.address}${uri.path}`);
      if (!answer.ok) {
        throw vscode.FileSystemError.FileNotFound(uri);
      }
      return new Uint8Array(await answer.arrayBuffer());
    }
    return this.texts.get(uri.path);
  }

  writeFile(uri, content) {
    this.texts.set(uri.path, content);
    this.changes.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  createDirectory() {}
  delete() {}
  rename() {}
}

exports.activate = (context) => {
  const { scheme, authority } = context.extensionUri;
  const files = new Files(`${scheme}://${authority}`);
  context.subscriptions.push(vscode.workspace.registerFileSystemProvider("tests", files));
};
