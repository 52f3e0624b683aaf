import type { Column, Table } from "#lib/contract/table";
import { writeHeader, writeRows } from "#lib/csv/write";
import type { Bounds } from "#lib/predictions/read-predictions";
import { type Alignment, align, alignedValues, gather } from "#lib/series/align";
import { CHUNK_VALUES } from "#lib/series/chunks";
import type { ScenarioSeries } from "#lib/series/compare-scenarios";
import { type RowWindow, rowsBetween } from "#lib/series/window";

export type WrittenScenario = ScenarioSeries & {
  title: string;
  /** Which bounds its model gives. */
  has: { lower: boolean; upper: boolean };
  /** Bounds of the rows from `start` up to, not including, `end`. */
  boundsOf(rows: RowWindow): Promise<Bounds>;
};

/** Points whose bounds are in memory at the same time. */
const STRETCH_POINTS = CHUNK_VALUES;

/**
 * Scenarios side by side, a line for each point between `from` and `to` (both included; epoch milliseconds, or row
 * numbers from 1): the time or the row, and of each scenario the columns "title", "title lower", "title upper" and
 * "title difference"; last, where something of it is known (`actualAt`), what was: "actual". Titles that come twice are
 * numbered.
 *
 * @throws {AlignmentTooLarge} before the first piece; with a piece what `boundsOf` throws
 */
export function comparisonCsv(
  scenarios: readonly WrittenScenario[],
  baselineId: string,
  { from, to }: { from?: number; to?: number },
  actualAt: ((time: number) => number) | null = null,
  stretchPoints = STRETCH_POINTS,
): AsyncGenerator<string> {
  const alignment = align(
    scenarios.map(({ prediction, timestamps }) => ({ rowCount: prediction.length, timestamps })),
  );
  const window = rowsBetween(alignment.timestamps, alignment.length, from, to);
  return pieces({ scenarios, baselineId, alignment, window, actualAt }, stretchPoints);
}

type Written = {
  scenarios: readonly WrittenScenario[];
  baselineId: string;
  alignment: Alignment;
  window: RowWindow;
  actualAt: ((time: number) => number) | null;
};

async function* pieces(written: Written, stretchPoints: number): AsyncGenerator<string> {
  const { scenarios, alignment, window, actualAt } = written;
  const times = alignment.timestamps?.subarray(window.start, window.end);
  const isKnown =
    times !== undefined && actualAt !== null && times.some((time) => !Number.isNaN(actualAt(time)));
  const told = { ...written, actualAt: isKnown ? actualAt : null };
  const titles = distinct(["actual", ...scenarios.map(({ title }) => title)]).slice(1);
  const { columns } = await stretch(told, titles, { start: window.start, end: window.start });
  yield writeHeader(columns.map(({ name }) => name));
  for (let start = window.start; start < window.end; start += stretchPoints) {
    const end = Math.min(window.end, start + stretchPoints);
    yield* writeRows(await stretch(told, titles, { start, end }));
  }
}

async function stretch(
  { scenarios, baselineId, alignment, actualAt }: Written,
  titles: readonly string[],
  window: RowWindow,
): Promise<Table> {
  const { start, end } = window;
  const times = alignment.timestamps?.subarray(start, end);
  const axis: Column =
    times === undefined
      ? {
          name: "row",
          type: "number",
          values: Float64Array.from({ length: end - start }, (_, at) => start + at + 1),
        }
      : { name: "timestamp", type: "timestamp", values: times };
  const number = (name: string, values: Float64Array): Column => ({ name, type: "number", values });
  const aligned = scenarios.map(({ prediction }, index) =>
    alignedValues(alignment, index, prediction, window),
  );
  const baseline = aligned[scenarios.findIndex(({ scenarioId }) => scenarioId === baselineId)]!;
  const bounds = await Promise.all(
    scenarios.map((scenario, index) => boundsAt(scenario, alignment.rowOf[index]!.subarray(start, end))),
  );
  const columns = scenarios.flatMap(({ scenarioId, has }, index): Column[] => {
    const title = titles[index]!;
    const { lower, upper } = bounds[index]!;
    const values = aligned[index]!;
    return [
      number(title, values),
      ...(has.lower ? [number(`${title} lower`, lower!)] : []),
      ...(has.upper ? [number(`${title} upper`, upper!)] : []),
      ...(scenarioId === baselineId
        ? []
        : [
            number(
              `${title} difference`,
              values.map((value, point) => value - baseline[point]!),
            ),
          ]),
    ];
  });
  const actual =
    actualAt === null
      ? []
      : [
          number(
            "actual",
            times!.map((time) => actualAt(time)),
          ),
        ];
  return { rowCount: end - start, columns: [axis, ...columns, ...actual] };
}

/** Bounds at these rows, -1 for none. */
async function boundsAt({ has, boundsOf }: WrittenScenario, rows: Int32Array): Promise<Bounds> {
  let first = Number.POSITIVE_INFINITY;
  let last = -1;
  for (const row of rows) {
    if (row !== -1 && row < first) first = row;
    if (row > last) last = row;
  }
  const isAny = last !== -1 && (has.lower || has.upper);
  const { lower, upper } = isAny
    ? await boundsOf({ start: first, end: last + 1 })
    : { lower: null, upper: null };
  const places = rows.map((row) => (row === -1 || !isAny ? -1 : row - first));
  const at = (values: Float64Array | null) => gather(values ?? new Float64Array(0), places);
  return { lower: has.lower ? at(lower) : null, upper: has.upper ? at(upper) : null };
}

function distinct(titles: readonly string[]): string[] {
  return titles.map((title, index) => {
    const number = titles.slice(0, index).filter((other) => other === title).length + 1;
    return number === 1 ? title : `${title} (${number})`;
  });
}
