import { nameFinder } from "#lib/engine/csv/nearest-name";

export type WantedColumn = { name: string; required: boolean };

type ColumnProposal = {
  /** Missing columns to match: all required ones, and optional ones with a similar name in the file. */
  missing: WantedColumn[];
  /** Unmatched columns of the file. */
  free: string[];
  /** Wanted column → unmatched column with the nearest name; each is proposed once. */
  nearest: Record<string, string>;
};

/** Maximum number of proposals at a time; a file may have ten thousand columns. */
const proposedAtOnce = 100;

/** Proposes columns of the file for the missing columns. */
export function proposeColumns(header: readonly string[], wanted: readonly WantedColumn[]): ColumnProposal {
  const names = new Set(wanted.map(({ name }) => name));
  const free = [...new Set(header)].filter((name) => name !== "" && !names.has(name));
  const present = new Set(header);
  const nearest: Record<string, string> = {};
  const left = new Set(free);
  // Required columns choose first.
  const absent = wanted
    .filter(({ name }) => !present.has(name))
    .sort((a, b) => Number(b.required) - Number(a.required))
    .slice(0, proposedAtOnce);
  let find = nameFinder(free);
  for (const { name } of absent) {
    const found = find(name);
    if (found === null) continue;
    nearest[name] = found;
    left.delete(found);
    find = nameFinder([...left]);
  }
  return { missing: absent.filter(({ name, required }) => required || name in nearest), free, nearest };
}
