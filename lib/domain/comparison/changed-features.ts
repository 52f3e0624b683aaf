import type { Table } from "#lib/contract/table";
import { checkInput } from "#lib/engine/inference/check-input";
import type { LoadedModel } from "#lib/engine/inference/load-model";
import { changedInputs } from "#lib/engine/series/changed-inputs";
import type { Stretch } from "./lockstep.ts";

/** The models of the baseline and of the scenario. Both are the same object if they share a model. */
export type ModelPair = readonly [LoadedModel, LoadedModel];

type Rows = Iterable<Table> | AsyncIterable<Table>;

/**
 * Returns the features that each model can take from either side. A feature is dropped if one of the models that read it
 * rejects values of a side.
 *
 * @param sides all rows of each side, block by block
 */
export async function sharedFeatures(sides: readonly Rows[], models: ModelPair): Promise<Set<string>> {
  const shared = new Set(models.flatMap(({ inputFeatures }) => inputFeatures.map(({ name }) => name)));
  for (const rows of sides) {
    for await (const block of rows) {
      for (const { inputFeatures, state } of new Set(models)) {
        for (const feature of inputFeatures) {
          if (!shared.has(feature.name)) continue;
          if (checkInput(block, [feature], state.target).issueCount > 0) shared.delete(feature.name);
        }
      }
    }
  }
  return shared;
}

/**
 * Returns the shared features whose values, as the models read them, differ between the two sides at some point. Keeps the
 * order of the models' features.
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
