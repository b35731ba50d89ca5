// Which box comes next in a direction, for those who go through a picture by keys.

import type { Box } from "../protocol";

/** The nearest box that lies that way; sideways counts more than onwards. */
export function neighbour(from: Box, boxes: readonly Box[], [dx, dy]: [number, number]): Box | null {
  let best: Box | null = null;
  let least = Infinity;
  for (const box of boxes) {
    if (box === from) continue;
    const x = box.x + box.width / 2 - from.x - from.width / 2;
    const y = box.y + box.height / 2 - from.y - from.height / 2;
    const onwards = x * dx + y * dy, sideways = Math.abs(x * dy) + Math.abs(y * dx);
    if (onwards <= 1 || sideways > onwards * 4) continue;
    const far = onwards + 2 * sideways;
    if (far < least) { least = far; best = box; }
  }
  return best;
}
