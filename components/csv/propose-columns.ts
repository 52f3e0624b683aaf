import { nameFinder } from "#lib/engine/csv/nearest-name";
import { type Extent, haveSimilarValues } from "./similar-values.ts";

export type WantedColumn = {
  name: string;
  required: boolean;
  /** Known values of the column. */
  extent?: Extent | undefined;
};

/** A column of the file with its values. */
export type FileColumn = Extent & { name: string };

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

/**
 * Proposes columns of the file for the missing columns: by name, then by values if only one column has similar ones and
 * no other missing column does.
 */
export function proposeColumns(
  header: readonly string[],
  wanted: readonly WantedColumn[],
  values: readonly FileColumn[] = [],
): ColumnProposal {
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
  const unnamed = absent.filter(({ name, required }) => required && !Object.hasOwn(nearest, name));
  for (const [name, column] of pairsByValues(
    unnamed,
    values.filter(({ name }) => left.has(name)),
  ))
    nearest[name] = column;
  const missing = absent.filter(({ name, required }) => required || Object.hasOwn(nearest, name));
  return { missing, free, nearest };
}

/** Pairs each missing column with the only column of similar values, unless that column suits several. */
function pairsByValues(
  missing: readonly WantedColumn[],
  free: readonly FileColumn[],
): [name: string, column: string][] {
  const suiting = missing.map(({ extent }) =>
    free.filter((column) => extent !== undefined && haveSimilarValues(extent, column)),
  );
  return missing.flatMap(({ name }, at): [string, string][] => {
    const [column, ...others] = suiting[at]!;
    if (column === undefined || others.length > 0) return [];
    const isContested = suiting.some((columns, other) => other !== at && columns.includes(column));
    return isContested ? [] : [[name, column.name]];
  });
}
