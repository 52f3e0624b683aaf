import { limits } from "#lib/contract/limits";

/** Interface, section 8: "Checkpoints per project | 20 maximum". One that is reserved counts, one being deleted does not. */
export function freeSlot(taken: ReadonlySet<number>): number | null {
  for (let slot = 1; slot <= limits.checkpointsPerProject; slot++) if (!taken.has(slot)) return slot;
  return null;
}

/**
 * Interface, section 4: "If omitted, generated from project name and date; on conflict the generated label gets a
 * suffix `_02`, `_03`, and so on". The form is `<ProjectName>_<YYYYMMDD>`, the date in UTC; the name is cut so that
 * label and suffix have at most 100 characters.
 */
export function generateLabel(projectName: string, now: Date, taken: ReadonlySet<string>): string {
  const date = now.toISOString().slice(0, 10).replaceAll("-", "");
  return freeLabel(projectName.trim(), `_${date}`, taken);
}

/** The label of a checkpoint from a file where the request has none: its own, on conflict with such a suffix too. */
export function importedLabel(exported: string, taken: ReadonlySet<string>): string {
  return freeLabel(exported.trim(), "", taken);
}

/** The ending stays whole; what is before it is cut where the label would be too long. */
function freeLabel(start: string, ending: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number++) {
    const suffix = ending + numberSuffix(number);
    const label = cut(start, limits.labelMax - suffix.length).trimEnd() + suffix;
    if (!taken.has(label)) return label;
  }
}

/**
 * Interface, section 2, rule 3: "A folder name derived from the label has at most 50 characters." Contract: a slug of
 * the label (`[a-z0-9_-]`), no two checkpoints of a project alike, never empty, never a path.
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
 * Interface, section 2, rule 1: "The first checkpoint of a project is always the default, whatever `setAsDefault`
 * says." Later ones are where it was asked for.
 */
export function becomesDefault(setAsDefault: boolean, hasDefault: boolean): boolean {
  return setAsDefault || !hasDefault;
}

/** "" for the first, then `_02`, `_03`, …, `_100`. */
function numberSuffix(number: number): string {
  return number === 1 ? "" : `_${String(number).padStart(2, "0")}`;
}

/** At most that many UTF-16 units, as the contract's schema counts them, and no half of a surrogate pair. */
function cut(text: string, most: number): string {
  const end = /[\uD800-\uDBFF]/.test(text.charAt(most - 1)) ? most - 1 : most;
  return text.length <= most ? text : text.slice(0, end);
}
