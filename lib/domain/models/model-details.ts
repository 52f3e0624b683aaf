import type { Warning } from "#lib/contract/datasets";
import type { Model } from "#lib/contract/models";

/** Fields of a model that the database stores for display. No query filters by them. */
export type ModelDetails = Pick<
  Model,
  "importance" | "validation" | "classification" | "leaderboard" | "coverage" | "coverageBySteps"
> & {
  /** Rows of the dataset; absent for imported models. */
  datasetRows?: number | undefined;
  warnings: Warning[];
  /** The training request. */
  request: Record<string, unknown>;
  /** The request with the values that the search found; absent without a search. */
  resolvedRequest?: Record<string, unknown>;
};
