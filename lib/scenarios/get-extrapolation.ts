import type { Context } from "#lib/context/context";
import type { Extrapolation, Extrapolations } from "#lib/contract/extrapolation";
import { standardError } from "#lib/errors/standard-error";
import { openModel } from "#lib/models/open-model";
import { cachedPoints } from "#lib/predictions/series-cache";
import { align } from "#lib/series/align";
import { findScenarios, requireReady } from "./find-scenario.ts";
import type { FindOutside, FoundOutside } from "./input/find-outside.ts";
import { runInputTask } from "./input/run-input-task.ts";
import { scenarioModels } from "./models/scenario-models.ts";
import type { ScenarioRow } from "./queries.ts";
import { findReadyScenario } from "./scenario-predictions.ts";

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
 * @throws {DomainError} scenario_not_found, scenario_not_ready
 */
export async function getExtrapolations(
  ctx: Context,
  { projectId, ids }: { projectId: string; ids: readonly string[] },
): Promise<Extrapolations> {
  const rows = await findScenarios(ctx.db, { projectId, scenarioIds: ids, field: "ids" });
  requireReady(rows, "ids");
  const found = await extrapolationsOf(ctx, rows);
  return { scenarios: rows.map(({ scenario: { id } }, index) => ({ scenarioId: id, ...found[index]! })) };
}

/** All in one task: a thread for each would take longer to begin than to do its work. */
async function extrapolationsOf(ctx: Context, rows: readonly ScenarioRow[]): Promise<Extrapolation[]> {
  const asked = await Promise.all(rows.map((row) => prepare(ctx, row)));
  const inputs = asked.map(({ input }) => input);
  const bytes =
    inputs.reduce((sum, { order, features }) => sum + order.length * features.length, 0) * VALUE_BYTES;
  const found = await runInputTask("outside", inputs, { bytes, open: nothingToRead });
  return found.map((one, index) => present(one, asked[index]!));
}

type Asked = { input: FindOutside; timestamps: Float64Array | null };

async function prepare(ctx: Context, { scenario }: ScenarioRow): Promise<Asked> {
  const models = await scenarioModels(ctx.db, scenario);
  // It was there a moment ago: a checkpoint goes only after its scenarios.
  if (models === null) throw standardError("scenario_not_found");
  const { inputFeatures } = await openModel(models.folders.get(scenario.projectId)!);
  const { timestamps } = await cachedPoints(ctx.db, scenario);
  const order = align([{ rowCount: scenario.rowCount ?? 0, timestamps }]).rowOf[0]!;
  return { input: { inputKey: scenario.inputKey!, features: inputFeatures, order }, timestamps };
}

function present({ features, spans }: FoundOutside, { input: { order }, timestamps }: Asked): Extrapolation {
  const timeOf = (at: number) => (timestamps === null ? null : new Date(timestamps[at]!).toISOString());
  return {
    rowCount: order.length,
    features: features.map((one) => ({ ...one, firstTimestamp: timeOf(one.firstRow - 1) })),
    spans: spans.map(({ first, last, features }) => ({
      firstRow: order[first]! + 1,
      lastRow: order[last]! + 1,
      from: timeOf(order[first]!),
      to: timeOf(order[last]!),
      features,
    })),
  };
}

const nothingToRead = async () => (async function* () {})();
