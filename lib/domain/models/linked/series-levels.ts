import type { Table } from "#lib/contract/table";
import type { OpenModel } from "#lib/domain/models/open-model";
import type { InputFeature } from "#lib/engine/inference/input-features";
import { type KnownLevels, levelsOf } from "#lib/engine/panel/fill-levels";
import type { LinkedSeries } from "./linked-series.ts";

const levelsByHistory = new WeakMap<Table, KnownLevels>();

/** Returns the levels of the known series of a project's model; null for one series. */
export async function knownLevels(linked: LinkedSeries, projectId: string): Promise<KnownLevels | null> {
  const { series } = (await linked.project(projectId)).model.state;
  const history = series && series.levels.length > 0 ? await linked.history(projectId) : null;
  if (!series || history === null) return null;
  const known = levelsByHistory.get(history) ?? levelsOf(history, series);
  levelsByHistory.set(history, known);
  return known;
}

/**
 * Returns the features of a model as an input must have them. Of many series, the columns of the levels may be absent: rows of known
 * series get them from the known rows.
 */
export function featuresToSend({
  inputFeatures,
  state,
}: Pick<OpenModel, "inputFeatures" | "state">): InputFeature[] {
  const levels = new Set(state.series?.levels);
  return levels.size === 0
    ? inputFeatures
    : inputFeatures.map((feature) => (levels.has(feature.name) ? { ...feature, required: false } : feature));
}
