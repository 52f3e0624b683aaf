import { get, set } from "react-hook-form";

/** A field of a form that edits a stored resource. */
export type EditedField = {
  /** Path in the form's values, such as `columns.2.unit`. */
  path: string;
  /** Label as in the form. */
  label: string;
  /** Text to compare with another; by default the text itself, or items joined by commas. */
  text?(value: unknown): string;
};

/** A field that two people have changed differently. */
export type Conflict = { path: string; label: string; mine: string; stored: string };

/** Values of a form: as it began, as entered, and as they are stored now. */
export type Edits<Values> = { seen: Values; mine: Values; stored: Values };

/**
 * Merges the fields that were changed here into the stored values.
 *
 * Two people open "Spring" with the note "Draft". One writes the note "Checked" and saves, the other changes the title
 * to "April" and saves. The second save merges both: "April", "Checked". If the second one also wrote the note "Mine",
 * the note is a conflict, because saving either text would lose the other.
 */
export function mergeEdits<Values extends object>(
  fields: readonly EditedField[],
  { seen, mine, stored }: Edits<Values>,
): { changed: string[]; values: Values; conflicts: Conflict[] } {
  const values = structuredClone(stored);
  const changed: string[] = [];
  const conflicts: Conflict[] = [];
  for (const { path, label, text = textOf } of fields) {
    const [before, now, theirs] = [seen, mine, stored].map((all) => text(get(all, path)));
    if (now === before) continue;
    changed.push(path);
    set(values, path, get(mine, path));
    if (theirs !== before && theirs !== now) conflicts.push({ path, label, mine: now!, stored: theirs! });
  }
  return { changed, values, conflicts };
}

const textOf = (value: unknown): string =>
  Array.isArray(value) ? value.join(", ") : String(value ?? "").trim();
