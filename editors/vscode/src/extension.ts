/** What the extension is, whatever connects it to the server. */

import * as vscode from "vscode";
import { registerCommands, showAnswer, type Parts } from "./commands";
import { Panel, Pictures, beside, type MakePanel } from "./panel";
import { Session, type Connect, type Phase, type Selector } from "./session";
import { offerSections } from "./skeletons";
import { Verification } from "./verification";

/** Set everything up, and start the server. Whoever begins ends the session: that takes a while, and has an order. */
export function begin(
  context: vscode.ExtensionContext,
  output: vscode.OutputChannel,
  connect: Connect,
  selector: Selector,
): Session {
  const session: Session = new Session(output, connect, selector, (command, argument, answer) =>
    showAnswer(parts, command, argument, answer),
  );
  const icon = vscode.Uri.joinPath(context.extensionUri, "icon.png");
  const make: MakePanel = (kind, title, told) => beside(icon, kind, title, told);
  const panel = new Panel(session, make);
  const pictures = new Pictures(make);
  const parts: Parts = { session, panel, pictures, context };
  context.subscriptions.push(output, panel, pictures, new Verification(session), ...registerCommands(parts));
  context.subscriptions.push(status(session, selector), offerSections(session, selector));
  void session.restart();
  return session;
}

const WORDS: Record<Phase, string> = { off: "not running", starting: "starting …", running: "running" };

/** Say in the status bar how the server is. */
function status(session: Session, selector: Selector): vscode.Disposable {
  const item = vscode.languages.createLanguageStatusItem("gnomon.server", selector);
  item.name = "Gnomon";
  const tell = (phase: Phase): void => {
    item.text = `Gnomon: ${WORDS[phase]}`;
    item.busy = phase === "starting";
    item.severity = phase === "off" ? vscode.LanguageStatusSeverity.Warning : vscode.LanguageStatusSeverity.Information;
    item.command = { command: "gnomon.restartServer", title: phase === "off" ? "Start" : "Restart" };
  };
  tell(session.phase);
  const listener = session.onPhase(tell);
  return vscode.Disposable.from(item, listener);
}
