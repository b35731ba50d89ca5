// Who reads whom: agents are boxes, arrows say which variables and actions are read.

import type { Opened } from "../protocol";
import { select, selection } from "../state";
import { useAnswer } from "../walking/asking";
import { Busy, ErrorNote } from "../walking/parts";
import { DrawingView } from "./drawing";

export function ReadsPicture({ model }: { model: Opened }) {
  const params = { model: model.model };
  const { data, error, busy } = useAnswer("model/reads", params);
  if (error) return <ErrorNote>{error}</ErrorNote>;
  if (!data) return busy ? <Busy words="Drawing" /> : null;
  const boxes = data.drawing.boxes;
  const selected = boxes.find((box) => box.name !== "" && box.name === selection.value.agent)?.number ?? null;
  return <DrawingView drawing={data.drawing} label="Who reads whom" selected={selected} onBox={(box) => select("model", { agent: box.name || null })} exported={{ what: "reads", params }} />;
}
