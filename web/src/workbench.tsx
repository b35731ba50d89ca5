import { ModelPane } from "./views/model";
import { RunPane } from "./views/run";
import { VerdictsPane } from "./views/verdicts";
import { TextPane } from "./text/pane";

/** The four views on one model, side by side. */
export function Workbench() {
  return <main><TextPane /><ModelPane /><RunPane /><VerdictsPane /></main>;
}
