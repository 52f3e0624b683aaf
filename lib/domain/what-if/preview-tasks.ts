import { splitScenarios } from "#lib/domain/comparison/split-scenarios";
import type { Tasks } from "#lib/platform/threads/messages";
import { taskRunner } from "#lib/platform/threads/run-task";
import { packLiveModel } from "./pack-live-model.ts";
import { predictAdjusted } from "./predict-adjusted.ts";

/** Worker pool tasks of previews. The threads stay, because opening a model takes longer than predicting with it. */
export const tasks = { packLiveModel, predictAdjusted, splitScenarios } satisfies Tasks;

export const runPreviewTask = taskRunner(tasks, {
  module: "./preview-tasks.ts",
  beside: import.meta.url,
  idleMs: 60_000,
});
