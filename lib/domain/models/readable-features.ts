import type { InputFeature } from "#lib/engine/inference/input-features";
import type { OpenModel } from "./open-model.ts";
import type { UpstreamModels } from "./upstream-features.ts";

/**
 * Returns the columns to read from a model's input: its own features, and the optional ones that upstream models need.
 * If several models read a column, the nearest model's type applies.
 *
 * @param carried names of columns in the input; upstream features among them are not computed
 */
export async function readableFeatures(
  model: OpenModel,
  modelOf: UpstreamModels,
  carried: ReadonlySet<string> = new Set(),
): Promise<InputFeature[]> {
  const found = new Map(model.inputFeatures.map((feature) => [feature.name, feature]));
  const waiting: { model: OpenModel; visited: ReadonlySet<string> }[] = [{ model, visited: new Set() }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const feature of next.model.inputFeatures) {
      if (next.model !== model && feature.role !== "timestamp" && !found.has(feature.name)) {
        found.set(feature.name, { ...feature, required: false });
      }
      const source =
        feature.role === "upstream" && !carried.has(feature.name) ? feature.sourceProjectId : null;
      if (source === null || next.visited.has(source)) continue;
      const upstream = await modelOf(source);
      if (upstream) waiting.push({ model: upstream, visited: new Set([...next.visited, source]) });
    }
  }
  return [...found.values()];
}
