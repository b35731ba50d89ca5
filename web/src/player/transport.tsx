// Going through a run: a scrubber, and buttons as on a recorder.

import { useEffect, useState } from "preact/hooks";
import type { Run } from "../protocol";
import { announcement, playerAt } from "../state";
import { forkInto, walkBusy } from "../walking/walk";
import { onwards, seekTo } from "./evidence";
import { Sign } from "./signs";

const PACE = 900;

export function Transport({ run }: { run: Run }) {
  const [isPlaying, setPlaying] = useState(false);
  const last = run.steps.length - 1;
  useEffect(() => {
    if (!isPlaying) return;
    const timer = setInterval(() => { if (!onwards()) setPlaying(false); }, PACE);
    return () => clearInterval(timer);
  }, [isPlaying, run]);
  useEffect(() => { announcement.value = `State ${playerAt.value} of ${last}`; }, [playerAt.value]);
  const fork = <button type="button" class="v-btn is-accent" disabled={walkBusy.value !== ""} title="Go on by yourself from this state, in the simulator" onClick={() => void forkInto(run, playerAt.value)}>Walk on<span class="if-wide"> from here</span></button>;
  const play = () => {
    if (!isPlaying && playerAt.value === last && run.loop === null) seekTo(0);
    setPlaying(!isPlaying);
  };
  const isStill = last === 0 && run.loop === null;
  if (isStill) return <div class="transport is-still"><span class="v-quiet">One state, and no step</span><span class="v-gap" />{fork}</div>;
  return (
    <div class="transport">
      <button type="button" class="v-icon" aria-label="To the first state" title="To the first state (Home)" disabled={playerAt.value === 0} onClick={() => seekTo(0)}><Sign name="first" /></button>
      <button type="button" class="v-icon" aria-label="One state back" title="Back (←)" disabled={playerAt.value === 0} onClick={() => seekTo(playerAt.value - 1)}><Sign name="back" /></button>
      <button type="button" class="v-icon is-play" aria-label={isPlaying ? "Stop" : "Play"} title={isPlaying ? "Stop (Space)" : "Play (Space)"} data-play onClick={play}><Sign name={isPlaying ? "pause" : "play"} /></button>
      <button type="button" class="v-icon" aria-label="One state on" title="On (→)" disabled={playerAt.value === last && run.loop === null} onClick={() => onwards()}><Sign name="on" /></button>
      <button type="button" class="v-icon" aria-label="To the last state" title="To the last state (End)" disabled={playerAt.value === last} onClick={() => seekTo(last)}><Sign name="last" /></button>
      <input class="scrubber" type="range" min={0} max={last} value={playerAt.value} disabled={last === 0} aria-label="State of the run" aria-valuetext={`State ${playerAt.value} of ${last}`}
        onInput={(event) => seekTo(event.currentTarget.valueAsNumber)} />
      <span class="transport-at">{playerAt.value} / {last}</span>
      {fork}
    </div>
  );
}
