import { numberSuffix } from "#lib/contract/checkpoint-label";
import { limits } from "#lib/contract/limits";

/**
 * Returns a free slot of the project's 20, or null. Reserved checkpoints take a slot; checkpoints being deleted do
 * not.
 */
export function freeSlot(taken: ReadonlySet<number>): number | null {
  for (let slot = 1; slot <= limits.checkpointsPerProject; slot++) if (!taken.has(slot)) return slot;
  return null;
}

/**
 * Derives a folder name from a label: a slug (`[a-z0-9_-]`) of 1 to 50 characters, unique within the project. The slug
 * is never a path.
 */
export function folderNameOf(label: string, taken: ReadonlySet<string>): string {
  const slug =
    label
      .normalize("NFKD")
      .replace(/\p{Mark}/gu, "")
      .toLowerCase()
      .replace(/[^a-z0-9_-]+/g, "-")
      .replace(/^-+|-+$/g, "") || "checkpoint";
  for (let number = 1; ; number++) {
    const suffix = numberSuffix(number);
    const name = slug.slice(0, limits.folderNameMax - suffix.length) + suffix;
    if (!taken.has(name)) return name;
  }
}

/**
 * Returns whether a new checkpoint becomes the default. The first checkpoint of a project always does. Later ones do
 * if `setAsDefault` is true.
 */
export function becomesDefault(setAsDefault: boolean, hasDefault: boolean): boolean {
  return setAsDefault || !hasDefault;
}
