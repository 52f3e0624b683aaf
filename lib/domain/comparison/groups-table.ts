import type { Comparison, PredictionChart } from "#lib/contract/scenario-series";
import type { Column, Table } from "#lib/contract/table";
import { axisOf, intervalColumns, number } from "./buckets-table.ts";
import { distinct, withDistinctNames } from "./comparison-table.ts";

/** Number of groups in memory at a time. */
const GROUPS = 200;

type Page = { limit: number; after: number };
type Values = (number | null)[];

/**
 * Returns the sums of groups as a table in parts, one row for each group and point, page by page. The first columns hold the values of the
 * group, then the axis follows.
 *
 * @param by the columns of the groups
 * @param read returns a page of groups
 * @throws the errors of `read`; for the first page before any part
 */
export function groupedChartTable(
  by: readonly string[],
  read: (page: Page) => Promise<{ chart: PredictionChart; next: number | null }>,
): AsyncGenerator<Table> {
  return tables(by, async (page) => {
    const { chart, next } = await read(page);
    const groups = (chart.groups ?? []).map(({ values, series: [one] }) => ({
      values,
      columns: [
        ...rowsColumn("rows", one!),
        number("prediction", one!.values),
        ...intervalColumns("", "_", one!),
      ],
    }));
    return { axis: axisOf(chart), groups, next };
  });
}

/** Returns the compared sums of groups in the same way, with the columns of `comparedPointsTable`. */
export function groupedComparisonTable(
  by: readonly string[],
  read: (page: Page) => Promise<{ comparison: Comparison; next: number | null }>,
): AsyncGenerator<Table> {
  return tables(by, async (page) => {
    const { comparison, next } = await read(page);
    const { scenarios, baselineId } = comparison;
    const titles = distinct(["actual", ...scenarios.map(({ title }) => title)]).slice(1);
    const groups = (comparison.groups ?? []).map(({ values, series }) => ({
      values,
      columns: series.flatMap((one, index) => [
        number(titles[index]!, one.values),
        ...(one.scenarioId === baselineId ? [] : [number(`${titles[index]!} difference`, one.differences)]),
        ...rowsColumn(`${titles[index]!} rows`, one),
      ]),
    }));
    return { axis: axisOf(comparison), groups, next };
  });
}

type Groups = {
  axis: Column[];
  groups: { values: Record<string, string>; columns: Column[] }[];
  next: number | null;
};

async function* tables(by: readonly string[], read: (page: Page) => Promise<Groups>): AsyncGenerator<Table> {
  let isEmpty = true;
  for (let after: number | null = 0; after !== null; ) {
    const { axis, groups, next }: Groups = await read({ limit: GROUPS, after });
    for (const { values, columns } of groups) {
      const rowCount = lengthOf(axis[0]!);
      const names = by.map((column): Column => {
        return {
          name: column,
          type: "category",
          codes: new Int32Array(rowCount),
          categories: [values[column]!],
        };
      });
      const all = [...names, ...axis, ...columns];
      isEmpty = false;
      yield withDistinctNames({ rowCount, columns: all });
    }
    after = next;
  }
  if (isEmpty) yield { rowCount: 0, columns: [...by.map(noTexts), ...axisOf({})] };
}

const noTexts = (name: string): Column => ({
  name,
  type: "category",
  codes: new Int32Array(),
  categories: [],
});

const lengthOf = (column: Column) =>
  column.type === "category" ? column.codes.length : column.values.length;

const rowsColumn = (name: string, { rowCounts }: { rowCounts?: Values | undefined }): Column[] =>
  rowCounts === undefined ? [] : [number(name, rowCounts)];
