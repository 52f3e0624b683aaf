import type { DatasetPart } from "#db/schema/datasets";
import type { DatasetChanges, RowValue } from "#lib/contract/dataset-versions";
import type { Column, Table } from "#lib/contract/table";
import { comparePanels } from "#lib/engine/panel/compare-panels";
import { findColumn, numericValues } from "#lib/engine/table/columns";
import { cellsEqual, compareRows } from "#lib/engine/table/compare-rows";
import { readTable } from "./dataset-table.ts";

type Version = { parts: DatasetPart[]; time: string | null; target: string; series: string[] | null };

export type VersionDifferences = Pick<DatasetChanges, "rowCount" | "rows" | "columns"> & {
  /** Times of the removed rows, ascending, in epoch milliseconds. Null without a timestamp. */
  removedTimes: Float64Array | null;
};

/** Rows listed of each kind, and columns of each row. */
const ROWS_MAX = 50;
const COLUMNS_MAX = 20;

/** Compares the stored rows of two versions. */
export async function compareVersions({
  before,
  after,
}: {
  before: Version;
  after: Version;
}): Promise<VersionDifferences> {
  const former = await readTable(before.parts);
  const latter = await readTable(after.parts);
  const time = before.time === after.time ? before.time : null;
  const series =
    time !== null && before.series?.join("\n") === after.series?.join("\n") ? before.series : null;
  const { added, removed, changed } =
    series === null
      ? compareRows(former, latter, inTimeOrder(before, after) ? time : null)
      : comparePanels(former, latter, { columns: series, timestamp: time! });
  const rowsOf = (
    kind: DatasetChanges["rows"][number]["kind"],
    pairs: readonly (readonly [before: number | null, after: number | null])[],
  ) =>
    pairs.slice(0, ROWS_MAX).map(([row, other]) => {
      const version = other === null ? before : after;
      const table = other === null ? former : latter;
      const at = other ?? row!;
      const times = version.time === null ? null : (valueAt(findColumn(table, version.time), at) as string);
      const values = differentValues(former, latter, row, other, [after.target, version.time]);
      const names = version.series === null ? null : valuesOf(table, version.series, at);
      return { kind, row: at + 1, timestamp: times, ...(names && { series: names }), values };
    });
  return {
    rowCount: {
      before: former.rowCount,
      after: latter.rowCount,
      added: added.length,
      removed: removed.length,
      changed: changed.length,
    },
    rows: [
      ...rowsOf("changed", changed),
      ...rowsOf(
        "removed",
        removed.map((row) => [row, null] as const),
      ),
      ...rowsOf(
        "added",
        added.map((row) => [null, row] as const),
      ),
    ],
    columns: { added: newColumns(former, latter), removed: newColumns(latter, former) },
    removedTimes: timesOf(former, before.time, removed),
  };
}

/** Rows of many series are not in the order of their times. */
const inTimeOrder = (...versions: readonly Version[]) => versions.every(({ series }) => series === null);

function valuesOf(table: Table, names: readonly string[], row: number): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, String(valueAt(findColumn(table, name), row) ?? "")]));
}

/** Returns the values of a row that differ, those of the target first and without the time. */
function differentValues(
  former: Table,
  latter: Table,
  row: number | null,
  other: number | null,
  [target, time]: readonly (string | null)[],
) {
  const names = [
    ...new Set([
      target,
      ...latter.columns.map(({ name }) => name),
      ...former.columns.map(({ name }) => name),
    ]),
  ];
  const values: { column: string; before: RowValue; after: RowValue }[] = [];
  for (const name of names) {
    if (values.length === COLUMNS_MAX) break;
    if (name == null || (name === time && row === null) || (name === time && other === null)) continue;
    const [before, after] = [findColumn(former, name), findColumn(latter, name)];
    const isSame = row !== null && other !== null && before && after && before.type === after.type;
    if (isSame && cellsEqual(before, after)(row, other)) continue;
    const value = {
      column: name,
      before: row === null ? null : valueAt(before, row),
      after: other === null ? null : valueAt(after, other),
    };
    if (value.before !== null || value.after !== null) values.push(value);
  }
  return values;
}

/** Returns a value as the API shows it. */
export function valueAt(column: Column | undefined, row: number): RowValue {
  if (column === undefined) return null;
  if (column.type === "category") return column.categories[column.codes[row]!] ?? null;
  const value = column.values[row]!;
  if (Number.isNaN(value)) return null;
  if (column.type === "timestamp") return new Date(value).toISOString();
  return column.type === "boolean" ? value === 1 : value;
}

function newColumns(before: Table, after: Table): string[] {
  return after.columns
    .filter(({ name, type }) => findColumn(before, name)?.type !== type)
    .map(({ name }) => name);
}

function timesOf(table: Table, time: string | null, rows: readonly number[]): Float64Array | null {
  if (time === null) return null;
  const times = numericValues(table, time);
  return Float64Array.from(rows, (row) => times[row]!).sort();
}
