import type { OpenModel } from "#lib/domain/models/open-model";

/** Opens the model that is pinned for a project, or null where there is none. */
type PinnedModels = (projectId: string | null) => Promise<OpenModel | null>;

/**
 * Whether a file's rows carry what an upstream model needs, so that it predicts from them as `/predict` does: every
 * input that it requires, and one at least. A model that reads nothing but times is asked for by time instead, where
 * its own series says what lies between.
 *
 * @param names columns of the file
 */
export async function carriesInputsOf(
  upstream: OpenModel,
  names: ReadonlySet<string>,
  modelOf: PinnedModels,
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
