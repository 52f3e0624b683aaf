import type { InputFeature } from "#lib/engine/inference/input-features";
import type { OpenModel } from "./open-model.ts";
import type { UpstreamModels } from "./upstream-features.ts";

/**
 * The columns to read of a model's input: its own features, and those that upstream models need to compute what the
 * input does not carry. The latter need not be there. Where several models read a column, the nearest one's type holds.
 *
 * @param carried names that the input is known to have: what they stand for is not computed
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
