import { type LoadedModel, loadModel } from "#lib/engine/inference/load-model";
import { artifactDigest } from "#lib/platform/artifacts/artifact-digest";
import { Remembered } from "#lib/platform/concurrency/lru-cache";
import { ArtifactNotFoundError } from "#lib/platform/storage/storage-errors";
import { store } from "#lib/platform/storage/store";
import { defaultInputFormat, type InputFormat, inputFormatFileName } from "./input-format.ts";

/** A model ready to predict, and how its input is written. */
export type OpenModel = LoadedModel & { inputFormat: InputFormat };

/** Models kept open; each takes its file's size in memory, some more for its session. */
const OPEN_MAX = 24;

const shared = globalThis as typeof globalThis & { openModels?: Remembered<OpenModel> };

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
  shared.openModels ??= new Remembered(OPEN_MAX);
  return shared.openModels.get(`${artifactKey} ${digest}`, () => load(artifactKey));
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
