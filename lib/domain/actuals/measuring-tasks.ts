import type { ModelRow } from "#lib/domain/models/find-model";
import type { SeriesSources } from "#lib/domain/models/linked/serving-series";
import type { Tasks } from "#lib/platform/threads/messages";
import { taskRunner } from "#lib/platform/threads/run-task";
import { compareModels } from "./compare-models.ts";
import { measureCheckpoint } from "./measure-checkpoint.ts";

/** Worker pool tasks that measure models on known rows. They run models, so plain reads must not import this module. */
export const tasks = { record: measureCheckpoint, compare: compareModels } satisfies Tasks;

/** The threads stay, because opening a model and reading its rows takes longer than measuring it. */
export const runMeasuringTask = taskRunner(tasks, {
  module: "./measuring-tasks.ts",
  beside: import.meta.url,
  idleMs: 60_000,
});

/**
 * Cost of a known row of many series, in the bytes by which `taskRunner` chooses between this thread and another one. For example,
 * finding the rows of 300 series among 10,000 series with 35 rows each takes 0.8 s.
 */
const COST_PER_ROW = 80;

/** Returns the cost of measuring a model. This thread may have a model of one series open, and looks back at few rows of it. */
export function costOfMeasuring(
  { algorithm, projectId, trainingRows }: Pick<ModelRow, "algorithm" | "projectId" | "trainingRows">,
  { datasets }: SeriesSources,
): number {
  if (algorithm !== "panel") return 0;
  return COST_PER_ROW * Math.max(trainingRows, datasets.get(projectId)?.rowCount ?? 0);
}
