import { limits } from "./limits.ts";

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

/** Returns "" for the first, then `_02`, `_03`, …, `_100`. */
export function numberSuffix(number: number): string {
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
