import type { OpenModel } from "#lib/domain/models/open-model";

/** Opens the pinned model of a project; null without one. */
type ModelOf = (projectId: string | null) => Promise<OpenModel | null>;

/**
 * Returns whether a file's rows have the inputs of an upstream model, so that the model predicts from them as `/predict`
 * does. The rows must have every required input, and at least one input. A model that reads only times predicts by time
 * instead, because its own series has the rows in between.
 *
 * @param names columns of the file
 */
export async function carriesInputsOf(
  upstream: OpenModel,
  names: ReadonlySet<string>,
  modelOf: ModelOf,
): Promise<boolean> {
  let carried = 0;
  const complete = async (model: OpenModel): Promise<boolean> => {
    for (const { name, role, required, sourceProjectId } of model.inputFeatures) {
      if (role === "timestamp") continue;
      if (names.has(name)) carried++;
      else if (role === "input" && required) return false;
      else if (role === "upstream") {
        const next = await modelOf(sourceProjectId);
        if (next === null || !(await complete(next))) return false;
      }
    }
    return true;
  };
  return (await complete(upstream)) && carried > 0;
}
