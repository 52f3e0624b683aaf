import type { Database } from "#db/client";
import type { Extrapolation, Extrapolations } from "#lib/contract/extrapolation";
import { openModel } from "#lib/domain/models/open-model";
import type { RunChoice } from "#lib/domain/scenarios/choose-runs";
import { acquireSlot } from "#lib/domain/scenarios/chunks/long-series-slots";
import type { SharedTimes } from "#lib/domain/scenarios/chunks/read-predictions";
import { cachedPoints } from "#lib/domain/scenarios/chunks/series-cache";
import {
  findReadyScenario,
  findScenarios,
  requireReady,
  type ScenarioRef,
  type ScenarioRow,
} from "#lib/domain/scenarios/find-scenario";
import type { FindOutside, FoundOutside } from "#lib/domain/scenarios/run/find-outside";
import { runInputTask } from "#lib/domain/scenarios/run/input-tasks";
import { requireScenarioModels } from "#lib/domain/scenarios/run/scenario-models";
import { align } from "#lib/engine/series/align";
import { LruCache } from "#lib/platform/concurrency/lru-cache";
import { settleAll } from "#lib/platform/concurrency/settle-all";
import type { Context } from "#lib/platform/context/context";
import { requireComparable } from "./compared-rows.ts";

/** Approximate memory per value of a feature. */
const VALUE_BYTES = 8;

/**
 * Finds the values of a scenario's input outside the training range of its model, by feature and by stretch of rows.
 *
 * @throws {DomainError} scenario_not_found, run_not_found, checkpoint_not_found, scenario_not_ready
 */
export async function getExtrapolation(ctx: Context, ids: ScenarioRef): Promise<Extrapolation> {
  const [only] = await extrapolationsOf(ctx, [await findReadyScenario(ctx, ids)]);
  return only!;
}

/**
 * Finds these values for several scenarios, in the order of `ids`.
 *
 * @throws {DomainError} scenario_not_found, run_not_found, checkpoint_not_found, scenario_not_ready, validation_failed for more
 *   rows than the limit of a comparison
 */
export async function getExtrapolations(
  ctx: Context,
  { projectId, ids, run, asOf }: { projectId: string; ids: readonly string[] } & RunChoice,
): Promise<Extrapolations> {
  const rows = await findScenarios(ctx.db, { projectId, scenarioIds: ids, field: "ids", run, asOf });
  requireReady(rows, "ids");
  requireComparable(rows);
  const extrapolations = await extrapolationsOf(ctx, rows);
  return {
    scenarios: rows.map(({ scenario: { id } }, index) => ({ scenarioId: id, ...extrapolations[index]! })),
  };
}

/** Recent results. A run's input and model never change once its predictions are stored. */
const cache = new LruCache<Extrapolation>(200);

async function extrapolationsOf(ctx: Context, rows: readonly ScenarioRow[]): Promise<Extrapolation[]> {
  const unknown: ScenarioRow[] = [];
  const extrapolations = Promise.resolve().then(() => findExtrapolations(ctx, unknown));
  return Promise.all(
    rows.map((row) =>
      // The lookups first collect all scenarios that are not cached. One task then processes them together.
      cache.get(row.scenario.runId, async () => {
        const at = unknown.push(row) - 1;
        return (await extrapolations)[at]!;
      }),
    ),
  );
}

/**
 * Processes all scenarios in one task: starting a thread for each would take longer than its work. The task has no abort
 * signal, because other callers may wait for the same result.
 */
async function findExtrapolations({ db }: Context, rows: readonly ScenarioRow[]): Promise<Extrapolation[]> {
  if (rows.length === 0) return [];
  using _slot = await acquireSlot(rows);
  const times: SharedTimes = new Map();
  const prepared = await settleAll(rows.map((row) => prepare(db, row, times)));
  const inputs = prepared.map(({ input }) => input);
  const values = prepared.reduce((sum, { input, rowCount }) => sum + rowCount * input.features.length, 0);
  const bytes = values * VALUE_BYTES;
  const found = await runInputTask("outside", inputs, { bytes });
  return found.map((one, index) => present(one, prepared[index]!));
}

/** `rowCount`: number of points in ascending order of time. */
type Prepared = { input: FindOutside; rowCount: number; timestamps: Float64Array | null };

async function prepare(db: Database, row: ScenarioRow, times: SharedTimes): Promise<Prepared> {
  const { scenario } = row;
  const models = await requireScenarioModels(db, row);
  const { inputFeatures } = await openModel(models.folders.get(scenario.projectId)!);
  const { inputKey, firstTimestamp } = scenario;
  const input = { inputKey: inputKey!, features: inputFeatures, order: null };
  if (firstTimestamp === null) return { input, rowCount: scenario.rowCount ?? 0, timestamps: null };
  const { timestamps } = await cachedPoints(db, scenario, times);
  const { rowOf, isPlain, length } = align([{ rowCount: scenario.rowCount ?? 0, timestamps }]);
  return { input: isPlain ? input : { ...input, order: rowOf[0]! }, rowCount: length, timestamps };
}

function present({ features, spans }: FoundOutside, { input: { order }, rowCount, timestamps }: Prepared) {
  const rowAt = (place: number) => order?.[place] ?? place;
  const timeOf = (row: number) => (timestamps === null ? null : new Date(timestamps[row]!).toISOString());
  return {
    rowCount,
    features: features.map((one) => ({ ...one, firstTimestamp: timeOf(one.firstRow - 1) })),
    spans: spans.map(({ first, last, features }) => ({
      firstRow: rowAt(first) + 1,
      lastRow: rowAt(last) + 1,
      from: timeOf(rowAt(first)),
      to: timeOf(rowAt(last)),
      features,
    })),
  };
}
