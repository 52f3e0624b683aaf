import type { CategoryColumn, Table } from "#lib/contract/table";
import { findColumn, withColumn } from "#lib/engine/table/columns";
import type { PanelColumns } from "./panel-rows.ts";
import { indexSeries, seriesKey } from "./series-index.ts";

/** Levels of known series: their values in the order of `levels`, by the key of the series. "" is a missing value. */
export type KnownLevels = PanelColumns & { values: ReadonlyMap<string, readonly string[]> };

/** Returns the levels of the series of some rows, each from the last row of its series. */
export function levelsOf(table: Table, { columns, levels }: PanelColumns): KnownLevels {
  const index = indexSeries(table, columns);
  const ofLevels = indexSeries(table, levels);
  const values = new Map<string, readonly string[]>();
  const lastRow = new Int32Array(index.values.length);
  index.ofRow.forEach((place, row) => {
    lastRow[place] = row;
  });
  index.values.forEach((own, place) => {
    values.set(seriesKey(own), ofLevels.values[ofLevels.ofRow[lastRow[place]!]!]!);
  });
  return { columns, levels, values };
}

/**
 * Adds the level columns that a table lacks, with the levels of its known series. Other series get no value. A table that lacks a
 * series column stays as it is.
 */
export function fillLevels(table: Table, { columns, levels, values }: KnownLevels): Table {
  const isWhole = columns.every((name) => findColumn(table, name)?.type === "category");
  const absent = levels.filter((name) => findColumn(table, name) === undefined);
  if (!isWhole || absent.length === 0) return table;
  const index = indexSeries(table, columns);
  const known = index.values.map((own) => values.get(seriesKey(own)));
  return absent.reduce((filled, name) => {
    const at = levels.indexOf(name);
    const categories = [...new Set(known.flatMap((own) => own?.[at] || []))];
    const codeOf = new Map(categories.map((value, code) => [value, code]));
    const codes = index.ofRow.map((place) => codeOf.get(known[place]?.[at] ?? "") ?? -1);
    const column: CategoryColumn = { name, type: "category", codes, categories };
    return withColumn(filled, column);
  }, table);
}
