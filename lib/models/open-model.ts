import { type LoadedModel, loadModel } from "#lib/ml/model/load-model";
import { ArtifactNotFoundError } from "#lib/storage/storage-errors";
import { store } from "#lib/storage/store";
import { artifactDigest } from "./artifact-digest.ts";
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
 * @param sha256 digest of the folder where the caller has it from the row; else the folder is asked, because a
 *   checkpoint may take the folder name of one that was deleted
 * @throws {ArtifactNotFoundError}
 */
export async function openModel(artifactKey: string, sha256?: string): Promise<OpenModel> {
  const digest = sha256 ?? artifactDigest(await store().readManifest(artifactKey));
  shared.openModels ??= new Map();
  const open = shared.openModels;
  const key = `${artifactKey} ${digest}`;
  const model = open.get(key) ?? load(artifactKey);
  open.delete(key);
  open.set(key, model);
  if (open.size > OPEN_MAX) open.delete(open.keys().next().value!);
  try {
    return await model;
  } catch (error) {
    open.delete(key);
    throw error;
  }
}

async function load(artifactKey: string): Promise<OpenModel> {
  const model = await loadModel((name) => store().readFile(artifactKey, name));
  return { ...model, inputFormat: await readInputFormat(artifactKey, model) };
}

async function readInputFormat(artifactKey: string, { state }: LoadedModel): Promise<InputFormat> {
  try {
    return JSON.parse((await store().readFile(artifactKey, inputFormatFileName)).toString()) as InputFormat;
  } catch (error) {
    if (error instanceof ArtifactNotFoundError) return defaultInputFormat(state.timestamp, state.timezone);
    throw error;
  }
}
