import type { Dataset } from "#lib/contract/datasets";
import { nameFinder } from "#lib/engine/names/nearest-name";

/** Values of a column: its type, range and categories. */
type Extent = Pick<Dataset["columns"][number], "type" | "min" | "max" | "categories">;

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

const SIMILAR = 0.5;

/** Returns whether two columns have the same type and share at least half of their ranges, or of their categories. */
function haveSimilarValues(a: Extent, b: Extent): boolean {
  if (a.type !== b.type) return false;
  if (a.type === "category") return sharedCategories(a.categories ?? [], b.categories ?? []) >= SIMILAR;
  if (a.type !== "number" || a.min === null || a.max === null || b.min === null || b.max === null)
    return false;
  const all = Math.max(a.max, b.max) - Math.min(a.min, b.min);
  const shared = Math.min(a.max, b.max) - Math.max(a.min, b.min);
  return all > 0 && shared / all >= SIMILAR;
}

function sharedCategories(a: readonly string[], b: readonly string[]): number {
  const all = new Set([...a, ...b]);
  const second = new Set(b);
  return all.size === 0 ? 0 : new Set(a.filter((text) => second.has(text))).size / all.size;
}
