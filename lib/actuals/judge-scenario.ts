import type { ForecastErrors } from "#lib/contract/actuals";
import type { Table } from "#lib/contract/table";
import { numericValues, selectColumns } from "#lib/ml/table/columns";
import { concatTables } from "#lib/ml/table/concat";
import { takeRows } from "#lib/ml/table/rows";
import type { StoredSeries } from "#lib/predictions/read-predictions";
import { align, alignedValues, gather } from "#lib/series/align";
import { downsampleShared } from "#lib/series/downsample";
import { rowsBetween } from "#lib/series/window";
import { actualsOf, type KnownTarget } from "./actuals-of.ts";
import { drawn, type Judged, measure } from "./measure.ts";
import { forecastNaively, type NaiveModel } from "./naive-of.ts";

export type JudgeScenario = {
  /** Predictions with their times. */
  series: StoredSeries & { timestamps: Float64Array };
  known: KnownTarget;
  /** What the model kept of the times and the target, null for nothing; and the last of those times. */
  kept: Table | null;
  keptUntil: number | null;
  /** Until when rows were known as the scenario was made; null: as far as they were kept. */
  knownUntil: number | null;
  /** Time of the last row that the model has learned from. */
  learnedUntil: number;
  naive: NaiveModel;
  /** Epoch milliseconds, both included; points to draw. */
  window: { from?: number; to?: number; maxPoints: number };
};

export type JudgedScenario = ReturnType<typeof drawn> & { errors: ForecastErrors; learnedRows: number };

/** A scenario's rows against what came true of them; null where nothing of it is known. */
export async function judgeScenario(asked: JudgeScenario): Promise<JudgedScenario | null> {
  const { rows, pick } = rowsOf(asked);
  const { actual } = rows;
  const from = actual.findIndex((value) => !Number.isNaN(value));
  const to = actual.findLastIndex((value) => !Number.isNaN(value)) + 1;
  const compared = pick((values) => values.subarray(from, to));
  const errors = measure(compared);
  if (errors === null) return null;
  let learnedRows = 0;
  for (const [row, time] of compared.times.entries())
    if (time <= asked.learnedUntil && !Number.isNaN(compared.actual[row]!)) learnedRows++;
  const { maxPoints } = asked.window;
  const points = downsampleShared([rows.predicted, actual], maxPoints);
  return {
    errors,
    learnedRows,
    ...drawn(
      pick((values) => gather(values, points)),
      maxPoints,
    ),
  };
}

/**
 * The rows of the window in the order of time, each with the actual value of its step; `pick` takes some of them, for
 * which alone the naive forecast is made.
 */
function rowsOf({ series, known, window, naive, ...asked }: JudgeScenario) {
  const { timestamps, prediction, lower, upper } = series;
  const alignment = align([{ rowCount: prediction.length, timestamps }]);
  const within = rowsBetween(alignment.timestamps, alignment.length, window.from, window.to);
  const inOrder = (values: Float64Array) => alignedValues(alignment, 0, values, within);
  const times = alignment.timestamps!.subarray(within.start, within.end);
  const actualAt = actualsOf(known);
  const rows = {
    ...{ times, actual: times.map((time) => actualAt(time)), predicted: inOrder(prediction) },
    ...{ lower: lower && inOrder(lower), upper: upper && inOrder(upper) },
  };
  const whenMade = knownWhenMade(asked, known);
  const pick = (of: (values: Float64Array) => Float64Array): Judged => {
    const times = of(rows.times);
    return {
      ...{ times, actual: of(rows.actual), predicted: of(rows.predicted) },
      ...{ lower: rows.lower && of(rows.lower), upper: rows.upper && of(rows.upper) },
      baseline: forecastNaively(naive, whenMade, times),
    };
  };
  return { rows, pick };
}

/** Times and target as they were known when the scenario was made: what the model kept, and newer rows up to then. */
function knownWhenMade(
  { kept, keptUntil, knownUntil }: Pick<JudgeScenario, "kept" | "keptUntil" | "knownUntil">,
  { known, timestamp, target }: KnownTarget,
): Table {
  const since = keptUntil ?? Number.NEGATIVE_INFINITY;
  const until = knownUntil ?? since;
  const times = numericValues(known, timestamp);
  const newer = Int32Array.from(times.keys()).filter((row) => times[row]! > since && times[row]! <= until);
  const parts = [...(kept ? [kept] : []), takeRows(known, newer)];
  return concatTables(parts.map((part) => selectColumns(part, [timestamp, target])));
}
