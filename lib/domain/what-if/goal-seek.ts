import type { GoalSeekRequest, GoalSeekResult } from "#lib/contract/goal-seek";
import { limits } from "#lib/contract/limits";
import { rethrowRejection } from "#lib/domain/models/model-rejection";
import type { ScenarioRef } from "#lib/domain/scenarios/find-scenario";
import { adjustmentDetails } from "#lib/domain/scenarios/run/adjust-input";
import { checkAdjustment } from "#lib/engine/inference/check-adjustment";
import { wireNumber } from "#lib/engine/series/summary";
import { type Sought, valuesOfLever } from "#lib/engine/what-if/goal-seek";
import type { Context } from "#lib/platform/context/context";
import { DomainError, issueError } from "#lib/platform/errors/domain-error";
import { openSpan } from "./open-span.ts";
import { runWhatIfTask } from "./what-if-tasks.ts";

/** Maximum number of row evaluations, counting every pass of a row through a model. */
const EVALUATIONS_MAX = 1_000_000;
/** The same limit for rows that build on each other. */
const EVALUATIONS_TOGETHER_MAX = 200_000;
/** Minimum number of settings within the limit. Longer spans are rejected. */
const SETTINGS_MIN = 50;
/** Time after which a search returns the best setting that it has found. */
const TIME_MS = 4_500;
/** Cost of an evaluation, in the bytes by which `taskRunner` chooses between this thread and a new one. */
const COST_PER_EVALUATION = 250;
/** Distance at which an `equal` goal counts as reached, as a share of its value. A goal of 0 must be met exactly. */
const TOLERANCE = 0.01;

/**
 * Seeks the setting of levers with which a scenario's predictions come closest to a goal. Of many series: with which those of
 * the chosen ones do, in all of their rows.
 *
 * @throws {DomainError} scenario_not_found, scenario_not_ready, series_not_found, validation_failed for an invalid span, an
 *   invalid choice of series, more than 200 series, levers that the input does not have, bounds without prediction intervals, and spans with too many rows; input_invalid for values
 *   of levers that the model rejects
 */
export async function seekScenarioGoal(
  ctx: Context,
  {
    projectId,
    scenarioId,
    levers,
    goal,
    constraints: given,
    series,
    where,
    ...window
  }: GoalSeekRequest & ScenarioRef,
): Promise<GoalSeekResult> {
  const constraints = given ?? [];
  const { from, to } = window;
  const opened = await openSpan(ctx, { projectId, scenarioId, series, where, from, to });
  using _slot = opened;
  const { inputs, few, rowsInSpan, rowsBuildOnEachOther, source } = opened;
  const wheres = few?.conditions ?? [[]];
  if (levers.length * wheres.length > limits.adjustmentsMax)
    throw tooManyAdjustmentsError(levers.length * wheres.length);
  const numeric = inputs.filter(({ type }) => type === "number");
  const issues = levers.flatMap(({ feature, operation, min }, at) =>
    checkAdjustment(numeric, { feature, operation, value: min }, source.timestamp, at),
  );
  if (issues[0] !== undefined) {
    const details = adjustmentDetails(issues).map((detail, at) => ({
      ...detail,
      field: `levers.${issues[at]!.adjustment}`,
    }));
    throw new DomainError("validation_failed", issues[0].message, { details });
  }
  const rows = rowsBuildOnEachOther ? rowsInSpan.at(-1)! + 1 : rowsInSpan;
  const rowCount = typeof rows === "number" ? rows : rows.length;
  const most = rowsBuildOnEachOther ? EVALUATIONS_TOGETHER_MAX : EVALUATIONS_MAX;
  const settingsMax = Math.floor(most / rowCount);
  if (settingsMax < SETTINGS_MIN)
    throw tooManyRowsError(Math.floor(most / SETTINGS_MIN), rowsBuildOnEachOther);
  const settings = levers.reduce((product, lever) => product * valuesOfLever(lever), 1);
  const best = await runWhatIfTask(
    "trySettings",
    { ...source, rows, levers, goal, constraints, settingsMax, timeMs: TIME_MS },
    { bytes: Math.min(settings, settingsMax) * rowCount * COST_PER_EVALUATION, signal: ctx.signal },
  ).catch(rethrowRejection("levers"));
  if ([best.goal, ...best.constraints].some(Number.isNaN)) throw noStatisticError();
  const tolerance = goal.relation === "equal" ? TOLERANCE * Math.abs(goal.value) : 0;
  const isReached = best.miss <= tolerance;
  return {
    status: best.violation > 0 ? "infeasible" : isReached ? "reached" : "closest",
    isProven: best.isProven,
    gap: gapOf(best, goal.value),
    evaluatedSettings: best.evaluated,
    settings: best.settings,
    rowCount: rowsInSpan.length,
    adjustments: best.adjustments.flatMap((one) =>
      wheres.map((conditions) => ({
        ...one,
        ...(from && { from }),
        ...(to && { to }),
        ...(conditions.length > 0 && { where: conditions }),
      })),
    ),
    goal: wireNumber(best.goal),
    constraints: best.constraints.map(wireNumber),
    outside: best.outside,
  };
}

/** Returns how much closer to the goal another setting can be at most, as a share of the goal: the whole miss if unproven; null if a constraint is violated. */
function gapOf({ violation, isProven, miss }: Sought, value: number): number | null {
  if (violation > 0) return null;
  if (isProven || miss === 0) return 0;
  return wireNumber(miss / Math.abs(value));
}

function tooManyRowsError(most: number, rowsBuildOnEachOther: boolean): DomainError {
  const rows = `at most ${most.toLocaleString("en")} rows`;
  const message = rowsBuildOnEachOther
    ? `The rows of this model build on each other, so goal seek evaluates ${rows} from the first. Use an earlier span.`
    : `Goal seek evaluates ${rows} of this model. Use a shorter span.`;
  return issueError("validation_failed", { field: "from", code: "too_many_rows", message });
}

function tooManyAdjustmentsError(count: number): DomainError {
  const message = `A scenario of the result would need ${count} adjustments, one for each lever and combination of chosen values. It takes at most ${limits.adjustmentsMax}. Choose by fewer values in \`where\`.`;
  return issueError("validation_failed", { field: "where", code: "too_many_adjustments", message });
}

function noStatisticError(): DomainError {
  const message =
    "The predictions lack the requested bound or value. Use `prediction` for models without intervals.";
  return issueError("validation_failed", { code: "no_statistic", message });
}
