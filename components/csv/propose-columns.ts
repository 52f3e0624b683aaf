import { nameFinder } from "#lib/engine/csv/nearest-name";

export type WantedColumn = { name: string; required: boolean };

export type ColumnProposal = {
  /** Wanted columns that the file lacks: all required ones, and of the others those that have a near name. */
  missing: WantedColumn[];
  /** Columns of the file that nobody asked for. */
  free: string[];
  /** Wanted column → the free one with the nearest name; none is proposed twice. */
  nearest: Record<string, string>;
};

/** The next ones come when these have their columns: files may have ten thousand. */
const proposedAtOnce = 100;

/** Which columns of a file may be those that it lacks. */
export function proposeColumns(header: readonly string[], wanted: readonly WantedColumn[]): ColumnProposal {
  const names = new Set(wanted.map(({ name }) => name));
  const free = [...new Set(header)].filter((name) => name !== "" && !names.has(name));
  const present = new Set(header);
  const nearest: Record<string, string> = {};
  const left = new Set(free);
  // Who must have a column chooses first.
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
