import type { KeyboardEvent } from "react";

const JUMP = 10;

/**
 * Returns the index of the point that a key moves the crosshair to: arrows by one point, with Shift by ten; Home and End.
 * Returns null for other keys.
 *
 * @param at index of the present point; -1 without
 */
export function pointOfKey(
  { key, shiftKey }: Pick<KeyboardEvent, "key" | "shiftKey">,
  at: number,
  [first, last]: readonly [number, number],
): number | null {
  const step = shiftKey ? JUMP : 1;
  if (key === "Home") return first;
  if (key === "End") return last;
  if (key === "ArrowRight") return at === -1 ? first : Math.min(at + step, last);
  if (key === "ArrowLeft") return at === -1 ? last : Math.max(at - step, first);
  return null;
}
