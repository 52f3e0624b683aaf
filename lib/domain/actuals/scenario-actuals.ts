import type { Context } from "#lib/context/context";
import type { ScenarioActuals } from "#lib/contract/actuals";
import { findCheckpoint } from "#lib/domain/checkpoints/find-checkpoint";
import { currentDataset } from "#lib/domain/datasets/current-dataset";
import { openModel } from "#lib/domain/models/open-model";
import { boundsAt } from "#lib/domain/scenarios/predictions/bounds-at";
import { readBounds } from "#lib/domain/scenarios/predictions/read-predictions";
import { cachedPoints } from "#lib/domain/scenarios/predictions/series-cache";
import { seriesFacts } from "#lib/domain/scenarios/run/known-rows";
import { readInputNotes } from "#lib/domain/scenarios/run/scenario-input";
import { selectColumns } from "#lib/engine/table/columns";
import { wireBounds } from "#lib/predictions/prediction-chart";
import { turnFor } from "#lib/scenarios/comparison/long-turns";
import { runInputTask } from "#lib/scenarios/input/run-input-task";
import { type ChartWindow, chartOptions, findReadyScenario } from "#lib/scenarios/scenario-predictions";
import { whenAllEnded } from "#lib/turns/when-all-ended";
import { stepOf } from "./actuals-of.ts";
import { tellTime } from "./format-instant.ts";
import { type JudgedScenario, type JudgeScenario, rowsToKnow } from "./judge-scenario.ts";
import { learnedUntil } from "./learned-until.ts";
import { nothingDrawn } from "./measure.ts";
import { naiveModelName, naiveOf } from "./naive-of.ts";
import { targetRows } from "./target-rows.ts";

const POINTS_DEFAULT = 1_000;

type JudgedActuals = Omit<JudgedScenario, "rowOf"> & Pick<ScenarioActuals, "lower" | "upper">;

/** Two million rows are judged in the time that a thread takes to start. */
const BYTES_PER_ROW = 1 / 4;

/**
 * A scenario against what has come true since: its error over the rows whose actual value the project's dataset knows,
 * beside the naive forecast that was possible when the scenario was made.
 *
 * @throws {DomainError} scenario_not_found, scenario_not_ready, validation_failed for an end that is none
 */
export async function scenarioActuals(
  ctx: Context,
  { projectId, scenarioId, ...window }: { projectId: string; scenarioId: string } & ChartWindow,
): Promise<ScenarioActuals> {
  const row = await findReadyScenario(ctx, { projectId, scenarioId });
  const { scenario } = row;
  const options = chartOptions(window, scenario.firstTimestamp !== null);
  const [checkpoint, dataset] = await Promise.all([
    findCheckpoint(ctx.db, { projectId, checkpointId: scenario.checkpointId! }),
    currentDataset(ctx.db, projectId),
  ]);
  const model = await openModel(checkpoint.artifactKey, checkpoint.sha256);
  const { target } = model.state;
  const nothing = (reason: string): ScenarioActuals => ({
    ...{ scenarioId: scenario.id, target, rowCount: scenario.rowCount ?? 0, learnedRows: 0, reason },
    knownUntil: dataset?.lastTimestamp?.toISOString() ?? null,
    ...{ baselineName: null, errors: null, ...nothingDrawn() },
  });
  const facts = seriesFacts(model, dataset);
  if (facts === null || scenario.firstTimestamp === null)
    return nothing("The scenario has no times, so that it cannot be told which actual values are its own.");
  if (dataset === null) return nothing("The project has no dataset, so that no actual value is known.");
  const { timestamp, grid } = facts;
  const known = await targetRows(dataset, { timestamp, target });
  if (known === null) return nothing(`The project's dataset has no "${target}" by "${timestamp}" any more.`);
  const last = dataset.lastTimestamp;
  const step = stepOf(grid);
  // Mostly scenarios begin where what is known ends; then nothing has to be read of them.
  const mayBeKnown = last !== null && step(last.getTime()) >= step(scenario.firstTimestamp.getTime());
  const naive = naiveOf(model);
  const judged = mayBeKnown
    ? await judge(ctx, row, {
        known: { known, timestamp, target, grid },
        kept: model.history && selectColumns(model.history, [timestamp, target]),
        keptUntil: model.state.lastTimestamp,
        learnedUntil: learnedUntil(model),
        naive,
        window: { ...options, maxPoints: options.maxPoints ?? POINTS_DEFAULT },
      })
    : null;
  if (judged === null) {
    const until = last === null ? "" : `: the last one known is of ${tellTime(last.getTime())}`;
    return nothing(`No actual value has arrived for these rows yet${until}.`);
  }
  return { ...nothing(""), reason: null, baselineName: naiveModelName(naive), ...judged };
}

/** Long scenarios wait for their turn, and are judged in a thread. */
async function judge(
  { db, signal }: Context,
  row: Awaited<ReturnType<typeof findReadyScenario>>,
  asked: Omit<JudgeScenario, "points" | "bounds" | "knownUntil">,
): Promise<JudgedActuals | null> {
  const { scenario } = row;
  using _turn = await turnFor([row], signal);
  const [{ knownUntil }, { timestamps, prediction }] = await whenAllEnded([
    readInputNotes(scenario.inputKey!),
    cachedPoints(db, scenario),
  ]);
  if (timestamps === null) return null;
  const { start: from, end: to } = rowsToKnow(timestamps, asked.known, asked.window);
  if (from === to) return null;
  const bounds = { from, ...(await readBounds(db, scenario.id, { from, to })) };
  const request = { ...asked, points: { timestamps, prediction }, bounds, knownUntil };
  const judged = await runInputTask("judge", request, { bytes: prediction.length * BYTES_PER_ROW, signal });
  if (judged === null) return null;
  const { rowOf, ...told } = judged;
  return { ...told, ...wireBounds(await boundsAt(db, scenario, rowOf), rowOf.length) };
}
