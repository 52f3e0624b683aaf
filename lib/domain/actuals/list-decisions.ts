import { isNotNull } from "drizzle-orm";
import { comparisons } from "#db/schema/comparisons";
import { limits } from "#lib/contract/limits";
import type { DecisionOutcome } from "#lib/contract/saved-comparisons";
import { currentDataset } from "#lib/domain/datasets/current-dataset";
import { seriesFacts } from "#lib/domain/models/linked/known-rows";
import { openModel } from "#lib/domain/models/open-model";
import { servingModel } from "#lib/domain/models/serving-model";
import { comparisonPaging, selectComparisons } from "#lib/domain/saved-comparisons/find-comparison";
import { numericValues } from "#lib/engine/table/columns";
import type { Context } from "#lib/platform/context/context";
import { runActualsTask } from "./actuals-tasks.ts";
import { panelTargetRows, targetRows } from "./target-rows.ts";

/** Cost of a value, in the bytes by which `taskRunner` chooses between this thread and a new one. */
const COST_PER_VALUE = 8;

/** Lists the decisions of a project, newest comparison first, with the sum of the actual values that came since. */
export async function listDecisions(
  ctx: Context,
  { projectId }: { projectId: string },
): Promise<DecisionOutcome[]> {
  const rows = await selectComparisons(ctx.db, {
    projectId,
    where: isNotNull(comparisons.decision),
    paging: comparisonPaging({ limit: limits.comparisonsPerProject }),
  });
  const decisions = rows.map(({ comparison: { id, name, decision } }) => ({
    comparisonId: id,
    comparisonName: name,
    ...decision!,
  }));
  // A scenario without times has no span that a value can be in.
  const timeOf = (time: string | null) => (time === null ? Number.POSITIVE_INFINITY : Date.parse(time));
  const spans = decisions.map(({ from, to }) => ({ from: timeOf(from), to: timeOf(to) }));
  const since = Math.min(...spans.map(({ from }) => from));
  const known = since === Number.POSITIVE_INFINITY ? null : await readKnown(ctx, projectId, since);
  if (known === null) return decisions.map((one) => ({ ...one, actual: null, actualRows: 0 }));
  const bytes = known.times.length * COST_PER_VALUE;
  const sums = await runActualsTask("sum", { ...known, spans }, { bytes, signal: ctx.signal });
  return decisions.map((one, at) => ({ ...one, ...sums[at]! }));
}

async function readKnown({ db }: Context, projectId: string, since: number) {
  const [serving, dataset] = await Promise.all([servingModel(db, projectId), currentDataset(db, projectId)]);
  if (serving === null || dataset === null) return null;
  const model = await openModel(serving.artifactKey, serving.sha256);
  const facts = seriesFacts(model, dataset);
  if (facts === null) return null;
  const { target, classes, series } = model.state;
  const wanted = { timestamp: facts.timestamp, target, classes };
  const known = series
    ? await panelTargetRows(dataset, wanted, { since, series: series.columns })
    : await targetRows(dataset, wanted);
  return known && { times: numericValues(known, wanted.timestamp), values: numericValues(known, target) };
}
