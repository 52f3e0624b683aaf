import type { PredictRequest } from "#lib/contract/predictions";
import type { PreviewRequest } from "#lib/contract/scenario-preview";
import type { Adjustment } from "#lib/contract/scenarios";

export type Recipe = {
  baseScenarioId: string | null;
  checkpointId: string | null;
  adjustments: Adjustment[];
};

/** Query keys, grouped by project so that an event invalidates one subtree. */
export const keys = {
  projects: () => ["projects"] as const,
  project: (projectId: string) => ["project", projectId] as const,
  dataset: (projectId: string) => ["project", projectId, "dataset"] as const,
  targetSeries: (projectId: string) => ["project", projectId, "dataset", "target"] as const,
  models: (projectId: string) => ["project", projectId, "models"] as const,
  modelChanges: (projectId: string, id: string) => ["project", projectId, "models", id, "changes"] as const,
  checkpoints: (projectId: string) => ["project", projectId, "checkpoints"] as const,
  checkpoint: (projectId: string, id: string) => ["project", projectId, "checkpoints", id] as const,
  actualRows: (projectId: string, id: string, from: string, to: string) =>
    ["project", projectId, "scenarios", id, "actuals", from, to] as const,
  record: (projectId: string, id: string) => ["project", projectId, "checkpoints", id, "record"] as const,
  comparisons: (projectId: string) => ["project", projectId, "comparisons"] as const,
  scenarios: (projectId: string) => ["project", projectId, "scenarios"] as const,
  scenarioList: (projectId: string, query = "") =>
    ["project", projectId, "scenarios", "list", query] as const,
  scenarioFilters: (projectId: string) => ["project", projectId, "scenarios", "filters"] as const,
  scenario: (projectId: string, id: string) => ["project", projectId, "scenarios", id] as const,
  predictions: (projectId: string, id: string, query: string) =>
    ["project", projectId, "scenarios", id, "predictions", query] as const,
  actuals: (projectId: string, id: string) => ["project", projectId, "scenarios", id, "actuals"] as const,
  scenarioRows: (projectId: string, id: string, offset: number, limit: number) =>
    ["project", projectId, "scenarios", id, "rows", offset, limit] as const,
  contributions: (projectId: string, id: string, row: number) =>
    ["project", projectId, "scenarios", id, "contributions", row] as const,
  compare: (projectId: string, query: string) =>
    ["project", projectId, "scenarios", "compare", query] as const,
  extrapolation: (projectId: string, id: string) =>
    ["project", projectId, "scenarios", id, "extrapolation"] as const,
  extrapolations: (projectId: string, ids: readonly string[]) =>
    ["project", projectId, "scenarios", "extrapolation", ids] as const,
  generatedInputs: (projectId: string, id: string) =>
    ["project", projectId, "scenarios", id, "generated-inputs"] as const,
  difference: (projectId: string, id: string, query: string) =>
    ["project", projectId, "scenarios", id, "difference", query] as const,
  sensitivity: (projectId: string, id: string, query: string) =>
    ["project", projectId, "scenarios", id, "sensitivity", query] as const,
  preview: (projectId: string, id: string, body: PreviewRequest) =>
    ["project", projectId, "scenarios", id, "preview", body] as const,
  recipe: (projectId: string, recipe: Recipe) =>
    ["project", projectId, "scenarios", "recipe", recipe] as const,
  predict: (projectId: string, body: PredictRequest) => ["project", projectId, "predict", body] as const,
  jobs: (projectId: string) => ["project", projectId, "jobs"] as const,
  apiKeys: (projectId: string) => ["project", projectId, "api-keys"] as const,
  audit: (projectId: string, query = "") => ["project", projectId, "audit", query] as const,
  allAudit: (query: string) => ["audit", query] as const,
  members: () => ["members"] as const,
};
