import type { Comparison, PredictionChart } from "#lib/contract/scenario-series";
import type { Column } from "#lib/contract/table";
import { writeHeader, writeRows } from "#lib/engine/csv/write";
import { axisOf, intervalColumns, number } from "./buckets-csv.ts";
import { distinct } from "./comparison-csv.ts";

/** Number of groups in memory at a time. */
const GROUPS = 200;

type Page = { limit: number; after: number };
type Values = (number | null)[];

/**
 * Writes the sums of groups as CSV, one line for each group and point, page by page. The first columns hold the values of the
 * group, then the axis follows.
 *
 * @param by the columns of the groups
 * @param read returns a page of groups
 * @throws the errors of `read`; for the first page before any output
 */
export function groupedChartCsv(
  by: readonly string[],
  read: (page: Page) => Promise<{ chart: PredictionChart; next: number | null }>,
): AsyncGenerator<string> {
  return written(by, async (page) => {
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

/** Writes the compared sums of groups as CSV in the same way, with the columns of `comparedPointsCsv`. */
export function groupedComparisonCsv(
  by: readonly string[],
  read: (page: Page) => Promise<{ comparison: Comparison; next: number | null }>,
): AsyncGenerator<string> {
  return written(by, async (page) => {
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

async function* written(
  by: readonly string[],
  read: (page: Page) => Promise<Groups>,
): AsyncGenerator<string> {
  let hasHeader = false;
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
      if (!hasHeader) yield writeHeader(distinct(all.map(({ name }) => name)));
      hasHeader = true;
      yield* writeRows({ rowCount, columns: all });
    }
    after = next;
  }
  if (!hasHeader) yield writeHeader([...by, "timestamp"]);
}

const lengthOf = (column: Column) =>
  column.type === "category" ? column.codes.length : column.values.length;

const rowsColumn = (name: string, { rowCounts }: { rowCounts?: Values | undefined }): Column[] =>
  rowCounts === undefined ? [] : [number(name, rowCounts)];
