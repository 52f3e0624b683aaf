import type { Table } from "#lib/contract/table";
import { checkInput } from "#lib/engine/inference/check-input";
import type { LoadedModel } from "#lib/engine/inference/load-model";
import { changedInputs } from "#lib/engine/series/changed-inputs";
import type { Stretch } from "./lockstep.ts";

/** What predicts the baseline and the scenario; the same one twice where they have the same. */
export type ModelPair = readonly [LoadedModel, LoadedModel];

type Rows = Iterable<Table> | AsyncIterable<Table>;

/** Features that every model that reads them can take from either side, of which all rows come block by block. */
export async function sharedFeatures(sides: readonly Rows[], models: ModelPair): Promise<Set<string>> {
  const shared = new Set(models.flatMap(({ inputFeatures }) => inputFeatures.map(({ name }) => name)));
  for (const rows of sides) {
    for await (const block of rows) {
      for (const { inputFeatures, state } of new Set(models)) {
        for (const feature of inputFeatures) {
          if (!shared.has(feature.name)) continue;
          if (checkInput(block, [feature], state.target).faultCount > 0) shared.delete(feature.name);
        }
      }
    }
  }
  return shared;
}

/**
 * Which of these features have different values on the two sides at some point, as the models read them; in the order of the
 * models' features.
 */
export async function changedFeatures(
  stretches: Iterable<Stretch> | AsyncIterable<Stretch>,
  models: ModelPair,
  shared: ReadonlySet<string>,
): Promise<string[]> {
  const seen = [...new Set(models)].map(({ inputFeatures, state }) => ({
    features: inputFeatures.filter(({ name }) => shared.has(name)),
    target: state.target,
    changed: new Set<string>(),
  }));
  for await (const stretch of stretches) {
    for (const { features, target, changed } of seen) {
      const unchanged = features.filter(({ name }) => !changed.has(name));
      const sides = stretch.tables.map((table, side) => ({
        scenarioId: String(side),
        table: checkInput(table, unchanged, target).table,
      }));
      const { length, rowOf } = stretch;
      const alignment = { timestamps: null, length, rowOf: rowOf ?? [], isPlain: rowOf === null };
      for (const { feature } of changedInputs(sides, "0", alignment)) changed.add(feature);
    }
    if (seen.every(({ features, changed }) => changed.size === features.length)) break;
  }
  const ordered = seen.flatMap(({ features, changed }) => features.filter(({ name }) => changed.has(name)));
  return [...new Set(ordered.map(({ name }) => name))];
}
