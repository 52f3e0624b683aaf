import { loadModel } from "#lib/engine/inference/load-model";
import { localRunner } from "#lib/engine/inference/local-runner";
import type { ModelFiles } from "#lib/engine/inference/model-files";
import { openSession } from "#lib/engine/runtime/session";
import { buildImportedModel, type ImportInput } from "#lib/engine/training/build-imported-model";

/** Imports a harmless model, which runs in the test's own process. */
export async function importHere(input: Omit<ImportInput, "modelInputs" | "runner">) {
  const { inputs: modelInputs } = await openSession(input.bytes);
  return buildImportedModel({ ...input, modelInputs, runner: localRunner(async () => input.bytes) });
}

/** Opens a harmless model, which runs in the test's own process. */
export const openHere = (files: ModelFiles) => {
  const read = async (name: string) => files.get(name)!;
  return loadModel(
    read,
    localRunner(() => read("model.onnx")),
  );
};
