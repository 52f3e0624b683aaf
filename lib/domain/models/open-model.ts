import type { ModelState } from "#lib/engine/inference/file-schemas";
import { type LoadedModel, loadModel } from "#lib/engine/inference/load-model";
import { readJson } from "#lib/engine/inference/model-files";
import { artifactDigest } from "#lib/platform/artifacts/artifact-digest";
import { LruCache, type Weigh } from "#lib/platform/concurrency/lru-cache";
import { perProcess } from "#lib/platform/process/per-process";
import { nullIfNotFound } from "#lib/platform/storage/storage-errors";
import { store } from "#lib/platform/storage/store";
import { defaultInputFormat, type InputFormat, inputFormatFileName } from "./input-format.ts";
import { storedModelRunner } from "./stored-model-runner.ts";

/** A model ready to predict, and how its input is written. */
export type OpenModel = LoadedModel & { inputFormat: InputFormat };

/** Maximum number of open models, and of bytes in the files that they were made from. */
const OPEN_MAX = 24;
const OPEN_BYTES_MAX = 256 << 20;

const openModels = perProcess("openModels", () => new LruCache<OpenModel>(OPEN_MAX, OPEN_BYTES_MAX));

/**
 * Opens the model in a folder of the artifact store (a model's or a checkpoint's), and caches it in this process. The
 * least recently used models are evicted.
 *
 * @param sha256 digest of the folder, if the caller has read it from the row. Otherwise the folder's manifest is read,
 *   because a checkpoint may reuse the folder name of a deleted checkpoint.
 * @throws {ArtifactNotFoundError}
 */
export async function openModel(artifactKey: string, sha256?: string): Promise<OpenModel> {
  const digest = sha256 ?? artifactDigest(await store().readManifest(artifactKey));
  return openModels().get(`${artifactKey} ${digest}`, (weigh) => load(artifactKey, digest, weigh));
}

/**
 * Reads the state of a model without opening it, which takes some tenths of a second for thousands of series.
 *
 * @throws {ArtifactNotFoundError}
 */
export async function readModelState(artifactKey: string): Promise<ModelState> {
  return readJson<ModelState>(await store().readFile(artifactKey, "state.json"));
}

async function load(artifactKey: string, digest: string, weigh: Weigh): Promise<OpenModel> {
  const read = async (name: string) => {
    const bytes = await store().readFile(artifactKey, name);
    // A model process holds the file.
    if (name !== "model.onnx") weigh(bytes.length);
    return bytes;
  };
  const model = await loadModel(read, storedModelRunner(artifactKey, digest));
  return { ...model, inputFormat: await readInputFormat(artifactKey, model) };
}

async function readInputFormat(artifactKey: string, { state }: LoadedModel): Promise<InputFormat> {
  const bytes = await nullIfNotFound(store().readFile(artifactKey, inputFormatFileName));
  return bytes === null ? defaultInputFormat(state.timestamp, state.timezone) : readJson<InputFormat>(bytes);
}
