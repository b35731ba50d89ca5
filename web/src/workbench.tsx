import { Dialogs } from "./dialogs/dialogs";
import { Listeners, LostBar, Notices } from "./shell/notices";
import { Panes } from "./shell/panes";
import { TopBar } from "./shell/topbar";

/** The four views on one model, the bar above them, and what opens over them. */
export function Workbench() {
  return (
    <div class="workbench">
      <TopBar />
      <LostBar />
      <Panes />
      <Notices />
      <Dialogs />
      <Listeners />
    </div>
  );
}
