import type { Database } from "#db/client";
import type { Context } from "#lib/context/context";
import type { Extrapolation, Extrapolations } from "#lib/contract/extrapolation";
import { openModel } from "#lib/domain/models/open-model";
import { findScenarios, requireReady } from "#lib/domain/scenarios/find-scenario";
import type { SharedTimes } from "#lib/domain/scenarios/predictions/read-predictions";
import { cachedPoints } from "#lib/domain/scenarios/predictions/series-cache";
import type { ScenarioRow } from "#lib/domain/scenarios/queries";
import type { FindOutside, FoundOutside } from "#lib/domain/scenarios/run/find-outside";
import { scenarioModels } from "#lib/domain/scenarios/run/scenario-models";
import { align } from "#lib/engine/series/align";
import { Remembered } from "#lib/platform/concurrency/lru-cache";
import { standardError } from "#lib/platform/errors/standard-error";
import { turnFor } from "#lib/scenarios/comparison/long-turns";
import { runInputTask } from "#lib/scenarios/input/run-input-task";
import { findReadyScenario } from "#lib/scenarios/scenario-predictions";
import { whenAllEnded } from "#lib/turns/when-all-ended";
import { requireComparable } from "./compared-rows.ts";

/** What a feature's values take in memory, roughly. */
const VALUE_BYTES = 8;

/**
 * Where a scenario's input is outside of what its model was trained on: by feature, and the stretches of rows.
 *
 * @throws {DomainError} scenario_not_found, scenario_not_ready
 */
export async function getExtrapolation(
  ctx: Context,
  ids: { projectId: string; scenarioId: string },
): Promise<Extrapolation> {
  const [only] = await extrapolationsOf(ctx, [await findReadyScenario(ctx, ids)]);
  return only!;
}

/**
 * The same of several scenarios, in the order asked for.
 *
 * @throws {DomainError} scenario_not_found, scenario_not_ready, validation_failed for more rows than can be compared
 */
export async function getExtrapolations(
  ctx: Context,
  { projectId, ids }: { projectId: string; ids: readonly string[] },
): Promise<Extrapolations> {
  const rows = await findScenarios(ctx.db, { projectId, scenarioIds: ids, field: "ids" });
  requireReady(rows, "ids");
  requireComparable(rows);
  const found = await extrapolationsOf(ctx, rows);
  return { scenarios: rows.map(({ scenario: { id } }, index) => ({ scenarioId: id, ...found[index]! })) };
}

/** What was found the last times. Input and model never change once a scenario is made. */
const remembered = new Remembered<Extrapolation>(200);

async function extrapolationsOf(ctx: Context, rows: readonly ScenarioRow[]): Promise<Extrapolation[]> {
  const unknown: ScenarioRow[] = [];
  const found = Promise.resolve().then(() => findExtrapolations(ctx, unknown));
  return Promise.all(
    rows.map((row) =>
      // Which ones are unknown is known once all were asked for; then they are looked through together.
      remembered.get(`${row.scenario.id} ${row.scenario.jobId}`, async () => {
        const at = unknown.push(row) - 1;
        return (await found)[at]!;
      }),
    ),
  );
}

/**
 * All in one task: a thread for each would take longer to begin than to do its work. Others may wait for it by now, so
 * that it goes on where the one who asked first has gone.
 */
async function findExtrapolations({ db }: Context, rows: readonly ScenarioRow[]): Promise<Extrapolation[]> {
  if (rows.length === 0) return [];
  using _turn = await turnFor(rows);
  const times: SharedTimes = new Map();
  const asked = await whenAllEnded(rows.map((row) => prepare(db, row, times)));
  const inputs = asked.map(({ input }) => input);
  const values = asked.reduce((sum, { input, rowCount }) => sum + rowCount * input.features.length, 0);
  const bytes = values * VALUE_BYTES;
  const found = await runInputTask("outside", inputs, { bytes });
  return found.map((one, index) => present(one, asked[index]!));
}

/** `rowCount`: of those in the order of time. */
type Asked = { input: FindOutside; rowCount: number; timestamps: Float64Array | null };

async function prepare(db: Database, { scenario }: ScenarioRow, times: SharedTimes): Promise<Asked> {
  const models = await scenarioModels(db, scenario);
  // It was there a moment ago: a checkpoint goes only after its scenarios.
  if (models === null) throw standardError("scenario_not_found");
  const { inputFeatures } = await openModel(models.folders.get(scenario.projectId)!);
  const { inputKey, firstTimestamp } = scenario;
  const input = { inputKey: inputKey!, features: inputFeatures, order: null };
  if (firstTimestamp === null) return { input, rowCount: scenario.rowCount ?? 0, timestamps: null };
  const { timestamps } = await cachedPoints(db, scenario, times);
  const { rowOf, isPlain, length } = align([{ rowCount: scenario.rowCount ?? 0, timestamps }]);
  return { input: isPlain ? input : { ...input, order: rowOf[0]! }, rowCount: length, timestamps };
}

function present({ features, spans }: FoundOutside, { input: { order }, rowCount, timestamps }: Asked) {
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
