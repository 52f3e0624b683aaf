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
 * Generates the label `<ProjectName>_<YYYYMMDD>`, with the date in UTC. On conflict, the label gets a suffix `_02`,
 * `_03`, and so on. The name is cut so that label and suffix have at most 100 characters.
 */
export function generateLabel(projectName: string, now: Date, taken: ReadonlySet<string>): string {
  const date = now.toISOString().slice(0, 10).replaceAll("-", "");
  return freeLabel(projectName.trim(), `_${date}`, taken);
}

/**
 * Returns the label of an imported checkpoint if the request has none: the exported label, on conflict with a suffix.
 */
export function importedLabel(exported: string, taken: ReadonlySet<string>): string {
  return freeLabel(exported.trim(), "", taken);
}

/** Keeps the ending and cuts the start if the label would be too long. */
function freeLabel(start: string, ending: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const suffix = ending + numberSuffix(number);
    const label = cut(start, limits.labelMax - suffix.length).trimEnd() + suffix;
    if (!taken.has(label)) return label;
  }
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

/** Returns "" for the first, then `_02`, `_03`, …, `_100`. */
function numberSuffix(number: number): string {
  return number === 1 ? "" : `_${String(number).padStart(2, "0")}`;
}

const graphemes = new Intl.Segmenter("en");

/**
 * Cuts a text to at most `most` code points, as the API schema counts them. Keeps each visible character whole: part of a
 * flag would be invisible text, which no label may have.
 */
function cut(text: string, most: number): string {
  let kept = "";
  let count = 0;
  for (const { segment } of graphemes.segment(text)) {
    count += [...segment].length;
    if (count > most) break;
    kept += segment;
  }
  return kept;
}
