import type { Database, Queryable } from "#db/client";
import type { Summary } from "#lib/contract/scenarios";
import { boundsAt } from "#lib/domain/scenarios/chunks/bounds-at";
import {
  type Bounds,
  boundsOfRows,
  readBounds,
  readPredictedFrom,
  readPredictions,
  type SharedTimes,
  type StoredSeries,
  type TimedPredictions,
} from "#lib/domain/scenarios/chunks/read-predictions";
import { type Rows, readSeries } from "#lib/domain/scenarios/chunks/read-series";
import {
  cached,
  cachedBounds,
  cachedPoints,
  cacheShortRuns,
} from "#lib/domain/scenarios/chunks/series-cache";
import type { StoredOverride } from "#lib/domain/scenarios/select-overrides";
import type { ScenarioRow } from "#lib/domain/scenarios/select-scenarios";
import {
  overrideBounds,
  overridePredictions,
  overridesOfRows,
  type PlacedRows,
} from "#lib/engine/overrides/apply-overrides";
import type { PanelRows } from "#lib/engine/panel/panel-rows";
import { CHUNK_VALUES } from "#lib/engine/series/chunks";
import { cachedPanel, panelColumns } from "./cached-panel.ts";
import { spanOverrides } from "./span-overrides.ts";

// Every read of predictions passes through one of two doors. This file applies the overrides of a scenario: what people see is effective.
// `lib/domain/scenarios/chunks` reads the values as the model calculated them.
//
// | reader | values |
// | --- | --- |
// | rows, charts, groups, downloads, comparisons, their totals and buckets, actuals, outlook, stored summary | effective |
// | parts of a difference by cause, which a part `overrides` completes | calculated |
// | contributions, sensitivity, goal seek, previews, live models | calculated |
// | base of a scenario with adjustments, downstream projects | calculated (from inputs and models) |
//
// The cache keeps calculated series. Effective copies exist only for scenarios with overrides.

/** A scenario, and the overrides to apply. */
export type OverriddenScenario = Pick<
  ScenarioRow["scenario"],
  "runId" | "jobId" | "rowCount" | "inputKey" | "intervals" | "overrides"
>;

/** Rows as lists and downloads show them. `calculated` and `overrideIds` are present if the scenario has overrides. */
export type EffectiveRows = StoredSeries & {
  calculated?: Float64Array;
  /** The last override of each row. */
  overrideIds?: (string | null)[];
};

/** Returns a scenario without its overrides, for reads of calculated values. */
export const withoutOverrides = (row: ScenarioRow): ScenarioRow => ({
  ...row,
  scenario: { ...row.scenario, overrides: [] },
});

/** Returns the stored summary; null if it lacks overrides: those of an earlier time, or on an earlier run. */
export const storedSummary = ({
  summary,
  calculatedSummary,
  overrides,
}: ScenarioRow["scenario"]): Summary | null =>
  overrides.length === 0 || calculatedSummary !== undefined ? summary : null;

/** Reads the effective predictions of all rows, cached like `cachedPoints`. */
export function effectivePoints(
  db: Database,
  scenario: OverriddenScenario,
  times?: SharedTimes,
): Promise<TimedPredictions> {
  const calculated = () => cachedPoints(db, scenario, times);
  if (scenario.overrides.length === 0) return calculated();
  return cached(scenario, partOf("points", scenario), async () => {
    const points = await calculated();
    const applied = await appliedOverrides(db, scenario, points.timestamps);
    return applied
      ? { ...points, prediction: overridePredictions(points.prediction, applied.rows, applied.overrides) }
      : points;
  });
}

/** Caches short runs together, as `cacheShortRuns` does, for reads of many runs that follow. */
export const cacheRuns = cacheShortRuns;

/** Reads the effective bounds of all rows, cached like `cachedBounds`. */
export function effectiveBounds(db: Database, scenario: OverriddenScenario): Promise<Bounds> {
  const calculated = () => cachedBounds(db, scenario);
  if (scenario.overrides.length === 0) return calculated();
  return cached(scenario, partOf("bounds", scenario), async () => {
    const [{ timestamps }, bounds] = await Promise.all([cachedPoints(db, scenario), calculated()]);
    const applied = await appliedOverrides(db, scenario, timestamps);
    return applied ? overrideBounds(bounds, applied.rows, applied.overrides, floorOf(scenario)) : bounds;
  });
}

/** Bounds of longer scenarios are never read completely, as in `boundsAt`. */
const READ_MAX = 2_000_000;

/** Reads the effective bounds at the given rows, as `boundsAt` does. */
export async function effectiveBoundsAt(
  db: Database,
  scenario: OverriddenScenario,
  rows: Int32Array,
): Promise<Bounds> {
  if (scenario.overrides.length === 0) return boundsAt(db, scenario, rows);
  if ((scenario.rowCount ?? 0) <= READ_MAX) return boundsOfRows(await effectiveBounds(db, scenario), rows);
  return readEffectiveBounds(db, scenario, rows);
}

/** Reads the effective predictions of some rows, as `readPredictions` does. */
export async function readEffective(
  db: Database,
  scenario: OverriddenScenario,
  rows: Rows | Int32Array,
  isTimed = true,
): Promise<EffectiveRows> {
  if (scenario.overrides.length === 0) return readPredictions(db, scenario.runId, rows, isTimed);
  return withOverrides(db, scenario, await readPredictions(db, scenario.runId, rows), rows);
}

/** Reads the effective bounds of some rows, as `readBounds` does. */
export async function readEffectiveBounds(
  db: Database,
  scenario: OverriddenScenario,
  rows: Rows | Int32Array,
): Promise<Bounds> {
  if (scenario.overrides.length === 0) return readBounds(db, scenario.runId, rows);
  const { lower, upper, floors } = await readEffective(db, scenario, rows);
  return { lower, upper, ...(floors && { floors }) };
}

/** Reads the effective predictions from a row to the end of its chunk, as `readPredictedFrom` does. */
export async function readEffectiveFrom(
  db: Queryable,
  scenario: OverriddenScenario,
  { from, rowCount, isTimed }: { from: number; rowCount: number; isTimed: boolean },
): Promise<EffectiveRows> {
  if (scenario.overrides.length === 0)
    return readPredictedFrom(db, scenario.runId, { from, rowCount, isTimed });
  const series = await readPredictedFrom(db, scenario.runId, { from, rowCount, isTimed: true });
  return withOverrides(db, scenario, series, { from, to: from + series.prediction.length });
}

async function withOverrides(
  db: Queryable,
  scenario: OverriddenScenario,
  series: StoredSeries,
  rows: Rows | Int32Array,
): Promise<EffectiveRows> {
  const { timestamps, prediction, lower, upper } = series;
  const applied = await appliedOverrides(db, scenario, timestamps, rows);
  const shown = { calculated: prediction, overrideIds: Array.from(prediction, () => null) };
  if (applied === null) return { ...series, ...shown };
  const { rows: placed, overrides } = applied;
  return {
    timestamps,
    prediction: overridePredictions(prediction, placed, overrides),
    ...overrideBounds({ lower, upper }, placed, overrides, floorOf(scenario)),
    calculated: prediction,
    overrideIds: Array.from(
      overridesOfRows(placed, overrides),
      (position) => scenario.overrides[position]?.id ?? null,
    ),
  };
}

/** Returns whether an override applies to a row of the scenario. Reads the times chunk by chunk, up to the first such row. */
export async function coversRow(
  db: Queryable,
  scenario: OverriddenScenario,
  override: StoredOverride,
): Promise<boolean> {
  const rowCount = scenario.rowCount ?? 0;
  for (let from = 0; from < rowCount; from += CHUNK_VALUES) {
    const rows = { from, to: Math.min(rowCount, from + CHUNK_VALUES) };
    const { timestamp = null } = await readSeries(db, scenario.runId, ["timestamp"], rows);
    const applied = await appliedOverrides(db, { ...scenario, overrides: [override] }, timestamp, rows);
    if (applied && overridesOfRows(applied.rows, applied.overrides).includes(0)) return true;
  }
  return false;
}

/** Finds the times and the series of rows, by default of all rows. Returns null for rows without times. */
async function appliedOverrides(
  db: Queryable,
  scenario: OverriddenScenario,
  timestamps: Float64Array | null,
  rows?: Rows | Int32Array,
): Promise<{ rows: PlacedRows; overrides: ReturnType<typeof spanOverrides> } | null> {
  if (timestamps === null) return null;
  if (scenario.overrides.every(({ where }) => where === null))
    return { rows: { timestamps, seriesOf: null }, overrides: spanOverrides(scenario.overrides, null) };
  const panel = await panelOf(db, scenario);
  return {
    rows: { timestamps, seriesOf: panel && seriesOfRows(panel.ofRow, rows) },
    overrides: spanOverrides(scenario.overrides, panel),
  };
}

/** Reads the series of a scenario's rows. Returns null for one series. */
export async function panelOf(
  db: Queryable,
  scenario: Pick<OverriddenScenario, "runId" | "rowCount" | "inputKey">,
): Promise<PanelRows | null> {
  if ((await panelColumns(scenario)) === null) return null;
  const rows = { from: 0, to: scenario.rowCount ?? 0 };
  const { timestamp: timestamps = null } = await readSeries(db, scenario.runId, ["timestamp"], rows);
  return cachedPanel(scenario, { timestamps });
}

function seriesOfRows(ofRow: Int32Array, rows: Rows | Int32Array | undefined): Int32Array {
  if (rows === undefined) return ofRow;
  if (rows instanceof Int32Array) return rows.map((row) => ofRow[row] ?? 0);
  return ofRow.subarray(rows.from, rows.to);
}

const floorOf = ({ intervals }: OverriddenScenario) => intervals?.floor ?? null;
/** With the span, because a track record applies an override only to the times that were not known yet. */
const partOf = (part: string, { overrides }: OverriddenScenario) =>
  `${part} ${overrides.map(({ id, from, to }) => `${id} ${from} ${to}`).join()}`;
