import { type LoadedModel, loadModel } from "#lib/engine/inference/load-model";
import { readJson } from "#lib/engine/inference/model-files";
import { artifactDigest } from "#lib/platform/artifacts/artifact-digest";
import { LruCache } from "#lib/platform/concurrency/lru-cache";
import { perProcess } from "#lib/platform/process/per-process";
import { nullIfNotFound } from "#lib/platform/storage/storage-errors";
import { store } from "#lib/platform/storage/store";
import { defaultInputFormat, type InputFormat, inputFormatFileName } from "./input-format.ts";

/** A model ready to predict, and how its input is written. */
export type OpenModel = LoadedModel & { inputFormat: InputFormat };

/** Maximum number of open models. Each takes the size of its file in memory, some also an inference session. */
const OPEN_MAX = 24;

const openModels = perProcess("openModels", () => new LruCache<OpenModel>(OPEN_MAX));

/**
 * Opens the model in a folder of the artifact store (a model's or a checkpoint's), and caches it in this process. The
 * least recently used model is evicted. Its session is freed after the last prediction that uses it.
 *
 * @param sha256 digest of the folder, if the caller has read it from the row. Otherwise the folder's manifest is read,
 *   because a checkpoint may reuse the folder name of a deleted checkpoint.
 * @throws {ArtifactNotFoundError}
 */
export async function openModel(artifactKey: string, sha256?: string): Promise<OpenModel> {
  const digest = sha256 ?? artifactDigest(await store().readManifest(artifactKey));
  return openModels().get(`${artifactKey} ${digest}`, () => load(artifactKey));
}

async function load(artifactKey: string): Promise<OpenModel> {
  const model = await loadModel((name) => store().readFile(artifactKey, name));
  return { ...model, inputFormat: await readInputFormat(artifactKey, model) };
}

async function readInputFormat(artifactKey: string, { state }: LoadedModel): Promise<InputFormat> {
  const bytes = await nullIfNotFound(store().readFile(artifactKey, inputFormatFileName));
  return bytes === null ? defaultInputFormat(state.timestamp, state.timezone) : readJson<InputFormat>(bytes);
}
