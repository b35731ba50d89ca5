// The model: its agents as cards, who reads whom, and its states as a picture.

import { modelTab, MODEL_TABS } from "../pictures/settings";
import { Cards } from "../pictures/cards";
import { ReadsPicture } from "../pictures/reads";
import { StatesPicture } from "../pictures/states";
import { opened, usable } from "../state";
import { Nothing, Tabs } from "../walking/parts";

export function ModelPane() {
  const model = usable.value;
  if (!model) {
    return <div class="model"><Nothing title={opened.value?.has_errors ? "The text has mistakes" : "No model yet"}><p>{opened.value?.has_errors ? "Its agents are shown here once it can be read." : "Open a model, or write one."}</p></Nothing></div>;
  }
  const isOld = opened.value?.has_errors ?? false;
  return (
    <div class="model">
      <Tabs label="Views of the model" tabs={MODEL_TABS} value={modelTab.value} onChange={(tab) => { modelTab.value = tab; }}
        aside={isOld && <span class="v-stale" title="The text has mistakes now; this is the last one without">last good text</span>}>
        {modelTab.value === "cards" && <Cards model={model} />}
        {modelTab.value === "reads" && <ReadsPicture model={model} />}
        {modelTab.value === "states" && <StatesPicture />}
      </Tabs>
    </div>
  );
}
