import type { IntervalShape } from "#lib/contract/interval-shape";
import type { CategoryColumn, Column, Table } from "#lib/contract/table";
import type { EffectiveRows } from "#lib/domain/scenarios/panel/effective-series";
import { levelBounds } from "#lib/engine/intervals/levels";
import { sliceRows, takeRows } from "#lib/engine/table/rows";

/**
 * Returns the input in parts, followed by the columns `prediction`, `lower` and `upper`, and by `lower_50` and `upper_50` for
 * a level of 0.5. For a scenario with overrides, `calculated` and `overrideId` come last. If the input has a column of that
 * name, the added column gets a suffix `_2`, `_3`, …
 *
 * @param blocks the input's rows in order; one block is in memory at a time
 * @param predictedFrom returns the predictions of at least one row from the given row (from 0); called in row order
 * @param window rows to write, by time, or by row number from 1 if `predictedFrom` returns no times; both ends inclusive
 * @param isRow whether to write a row (from 0); null: every row
 * @throws the errors of `predictedFrom`; for row 0 before any part
 */
export async function* predictionsTable(
  blocks: AsyncIterable<Table>,
  predictedFrom: (row: number) => Promise<EffectiveRows>,
  levels: Levels,
  window: Window = {},
  isRow: ((row: number) => boolean) | null = null,
): AsyncGenerator<Table> {
  let row = 0;
  let part: Table | null = null;
  let times: Float64Array | null = null;
  let partStart = 0;
  for await (const block of blocks) {
    const blockStart = row;
    const blockEnd = row + block.rowCount;
    while (row < blockEnd) {
      if (part === null || row === partStart + part.rowCount) {
        const { timestamps, ...predicted } = await predictedFrom(row);
        part = tableOf(predicted, block, levels);
        times = timestamps;
        partStart = row;
      }
      const to = Math.min(blockEnd, partStart + part.rowCount);
      const input = sliceRows(block, row - blockStart, to - blockStart);
      const predicted = sliceRows(part, row - partStart, to - partStart);
      const rows = { rowCount: to - row, columns: [...input.columns, ...predicted.columns] };
      const first = row;
      const isChosen = isRow && ((at: number) => isRow(first + at));
      const positionOf = (at: number) => times?.[first - partStart + at] ?? first + at + 1;
      yield rowsWithin(window, rows, positionOf, isChosen);
      row = to;
    }
  }
}

type Window = { from?: number; to?: number };

function rowsWithin(
  { from, to }: Window,
  rows: Table,
  positionOf: (at: number) => number,
  isChosen: ((at: number) => boolean) | null,
): Table {
  if (from === undefined && to === undefined && isChosen === null) return rows;
  const kept = Array.from({ length: rows.rowCount }, (_, at) => at).filter((at) => {
    const position = positionOf(at);
    const isWithin = position >= (from ?? -Infinity) && position <= (to ?? Infinity);
    return isWithin && (isChosen === null || isChosen(at));
  });
  return takeRows(rows, kept);
}

type Levels = { levels: readonly number[]; shape: IntervalShape | null };

function tableOf(
  { prediction, lower, upper, floors, calculated, overrideIds }: Omit<EffectiveRows, "timestamps">,
  input: Table,
  { levels, shape }: Levels,
): Table {
  const taken = new Set(input.columns.map(({ name }) => name));
  const results: [name: string, values: Float64Array | null][] = [
    ["prediction", prediction],
    ["lower", lower],
    ["upper", upper],
    ...levelBounds(levels, { predictions: prediction, lower, upper, floors, shape }).flatMap(
      ({ level, ...bounds }): [string, Float64Array][] => [
        [`lower_${Math.round(100 * level)}`, bounds.lower],
        [`upper_${Math.round(100 * level)}`, bounds.upper],
      ],
    ),
    ["calculated", calculated ?? null],
  ];
  const columns = results.flatMap(([name, values]): Column[] =>
    values === null ? [] : [{ name: freeName(name, taken), type: "number", values }],
  );
  if (overrideIds) columns.push({ name: freeName("overrideId", taken), ...textColumn(overrideIds) });
  return { rowCount: prediction.length, columns };
}

function textColumn(values: readonly (string | null)[]): Omit<CategoryColumn, "name"> {
  const categories = [...new Set(values.filter((value) => value !== null))];
  const codeOf = new Map(categories.map((value, code) => [value, code]));
  const codes = Int32Array.from(values, (value) => (value === null ? -1 : codeOf.get(value)!));
  return { type: "category", codes, categories };
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let number = 2, free = name; ; number++) {
    if (!taken.has(free)) return free;
    free = `${name}_${number}`;
  }
}
