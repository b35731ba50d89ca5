// The dialog that is open, if any.

import type { ComponentType } from "preact";
import { dialog } from "../state";
import { Conflict } from "./conflict";
import { Explain, Story } from "./explain";
import { Files, Leave, SaveAs } from "./files";
import { Gallery } from "./gallery";
import { Help } from "./help";
import { Share } from "./share";
import { Sweep } from "./sweep";
import { Who } from "./who";

const DIALOGS: Readonly<Record<string, ComponentType<{ about: never }>>> = {
  files: Files, "save-as": SaveAs, leave: Leave, gallery: Gallery, conflict: Conflict, who: Who, sweep: Sweep, share: Share, help: Help, story: Story, explain: Explain,
};

export function Dialogs() {
  const now = dialog.value;
  const View = now ? DIALOGS[now.name] : undefined;
  return now && View ? <View key={now.name} about={now.about as never} /> : null;
}
