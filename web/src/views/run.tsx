// Runs: those that one walks oneself, and those that are the evidence of a verdict.

import { player } from "../state";
import { Player } from "../player/player";
import { Simulator } from "../walking/simulator";

export function RunPane() {
  return <div class="run">{player.value ? <Player played={player.value} /> : <Simulator />}</div>;
}
