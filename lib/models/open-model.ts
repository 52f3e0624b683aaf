import { type LoadedModel, loadModel } from "#lib/ml/model/load-model";
import { ArtifactNotFoundError } from "#lib/storage/storage-errors";
import { store } from "#lib/storage/store";
import { defaultInputFormat, type InputFormat, inputFormatFileName } from "./input-format.ts";

/** A model ready to predict, and how its input is written. */
export type OpenModel = LoadedModel & { inputFormat: InputFormat };

/** Models kept open; each takes its file's size in memory, some more for its session. */
const OPEN_MAX = 24;

const shared = globalThis as typeof globalThis & { openModels?: Map<string, Promise<OpenModel>> };

/**
 * The model in a folder of the artifact store (a model's or a checkpoint's), opened once for this process. The least
 * recently used one is forgotten; its session is freed with the last prediction that uses it.
 *
 * @throws {ArtifactNotFoundError}
 */
export function openModel(artifactKey: string): Promise<OpenModel> {
  shared.openModels ??= new Map();
  const open = shared.openModels;
  const model = open.get(artifactKey) ?? load(artifactKey);
  open.delete(artifactKey);
  open.set(artifactKey, model);
  if (open.size > OPEN_MAX) open.delete(open.keys().next().value!);
  return model;
}

/** Has the next `openModel` read the folder anew: for a folder that was written again or removed. */
export function forgetModel(artifactKey: string): void {
  shared.openModels?.delete(artifactKey);
}

async function load(artifactKey: string): Promise<OpenModel> {
  try {
    const model = await loadModel((name) => store().readFile(artifactKey, name));
    return { ...model, inputFormat: await readInputFormat(artifactKey, model) };
  } catch (error) {
    forgetModel(artifactKey);
    throw error;
  }
}

async function readInputFormat(artifactKey: string, { state }: LoadedModel): Promise<InputFormat> {
  try {
    return JSON.parse((await store().readFile(artifactKey, inputFormatFileName)).toString()) as InputFormat;
  } catch (error) {
    if (error instanceof ArtifactNotFoundError) return defaultInputFormat(state.timestamp, state.timezone);
    throw error;
  }
}
