// The evidence as a tree that one goes through: which run is shown, what hangs at its states, and where in it we are.

import { batch, computed } from "@preact/signals";
import type { ExplanationData, Run } from "../protocol";
import { player, playerAt, playerPath } from "../state";

/** An explanation on the way from the root to what is shown, with the branches that lead to it. */
export interface Reached { because: ExplanationData; path: readonly number[]; position: number }

/** A run that hangs at a state of another run. */
export interface Hanging extends Reached { run: Run }

/** From the root to what is shown. */
export const reached = computed<Reached[]>(() => {
  const root = player.value?.evidence.explanation;
  if (!root) return [];
  const way: Reached[] = [{ because: root, path: [], position: 0 }];
  for (const index of playerPath.value) {
    const last = way[way.length - 1]!;
    const branch = last.because.branches[index];
    if (!branch) break;
    way.push({ because: branch.because, path: [...last.path, index], position: branch.position });
  }
  return way;
});

/** What is shown: the last one on the way that has a run; the root where none has. */
export const shown = computed<Reached | null>(() => reached.value.findLast((each) => each.because.run) ?? reached.value[0] ?? null);
export const playerRun = computed<Run | null>(() => shown.value?.because.run ?? null);

/** Runs that hang at states of this one: those that look the same, and those that go on from there. */
export function hangingAt(from: Reached): Hanging[] {
  const found: Hanging[] = [];
  const look = (because: ExplanationData, path: readonly number[], position: number | null) => {
    because.branches.forEach((branch, index) => {
      const place = position ?? branch.position;
      const next = [...path, index];
      if (branch.because.run) found.push({ because: branch.because, run: branch.because.run, path: next, position: place });
      else look(branch.because, next, place);
    });
  };
  look(from.because, from.path, null);
  return found;
}

export function openPart(path: readonly number[], position = 0): void {
  batch(() => {
    playerPath.value = path;
    playerAt.value = position;
  });
}

export function seekTo(position: number): void {
  const last = (playerRun.value?.steps.length ?? 1) - 1;
  playerAt.value = Math.min(last, Math.max(0, position));
}

/** One on; at the end of a run that goes round, back to where it comes by. */
export function onwards(): boolean {
  const run = playerRun.value;
  if (!run) return false;
  if (playerAt.value < run.steps.length - 1) playerAt.value += 1;
  else if (run.loop !== null) playerAt.value = run.loop;
  else return false;
  return true;
}
