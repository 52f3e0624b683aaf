import type { Database } from "#db/client";
import { currentDataset, type DatasetRow } from "#lib/domain/datasets/current-dataset";
import { type OpenModel, openModel } from "#lib/domain/models/open-model";
import type { InputFeature } from "#lib/engine/inference/input-features";
import { memoize } from "#lib/platform/concurrency/memoize";
import { type SeriesFacts, seriesFacts } from "./known-rows.ts";

/** Folder of a model in the artifact store, with its digest if the caller has it. */
type ModelFolder = string | { artifactKey: string; sha256: string };

/** Database with the projects' datasets; in a thread, which has no database, their rows. */
type DatasetSource = Database | Map<string, DatasetRow | null>;

/** One project with the model that predicts for it, its dataset and the time properties of its series. */
export type LinkedProject = {
  projectId: string;
  model: OpenModel;
  dataset: DatasetRow | null;
  /** null for a model without times. */
  facts: SeriesFacts | null;
};

/** The models of a project and of its upstream projects. Opens each model once. */
export class LinkedModels {
  readonly #datasets: DatasetSource;
  readonly #folders: ReadonlyMap<string, ModelFolder>;
  readonly #projects = new Map<string, Promise<LinkedProject>>();

  /** @param folders project → the model that predicts for it */
  constructor(datasets: DatasetSource, folders: ReadonlyMap<string, ModelFolder>) {
    this.#datasets = datasets;
    this.#folders = folders;
  }

  /** Returns the folder of the project's model. */
  folderOf(projectId: string): string {
    return this.#folderOf(projectId).artifactKey;
  }

  #folderOf(projectId: string): { artifactKey: string; sha256?: string } {
    const folder = this.#folders.get(projectId);
    if (folder === undefined) throw new Error(`No model predicts for project ${projectId}`);
    return typeof folder === "string" ? { artifactKey: folder } : folder;
  }

  has(projectId: string | null): projectId is string {
    return projectId !== null && this.#folders.has(projectId);
  }

  project(projectId: string): Promise<LinkedProject> {
    return memoize(this.#projects, projectId, async () => {
      const { artifactKey, sha256 } = this.#folderOf(projectId);
      const [model, dataset] = await Promise.all([
        openModel(artifactKey, sha256),
        this.#datasetOf(projectId),
      ]);
      return { projectId, model, dataset, facts: seriesFacts(model, dataset) };
    });
  }

  async #datasetOf(projectId: string): Promise<DatasetRow | null> {
    const datasets = this.#datasets;
    return datasets instanceof Map ? (datasets.get(projectId) ?? null) : currentDataset(datasets, projectId);
  }

  /**
   * Returns the columns to read from an input of the model: its own features, and the optional ones that upstream models
   * need. If several models read a column, the nearest model's type applies.
   *
   * @param carried names of columns in the input; upstream features among them are not computed
   */
  async readableFeatures(
    model: OpenModel,
    carried: ReadonlySet<string> = new Set(),
  ): Promise<InputFeature[]> {
    const features = new Map(model.inputFeatures.map((feature) => [feature.name, feature]));
    const waiting: { model: OpenModel; visited: ReadonlySet<string> }[] = [{ model, visited: new Set() }];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      for (const feature of next.model.inputFeatures) {
        if (next.model !== model && feature.role !== "timestamp" && !features.has(feature.name)) {
          features.set(feature.name, { ...feature, required: false });
        }
        const source =
          feature.role === "upstream" && !carried.has(feature.name) ? feature.sourceProjectId : null;
        if (!this.has(source) || next.visited.has(source)) continue;
        const upstream = await this.project(source);
        waiting.push({ model: upstream.model, visited: new Set([...next.visited, source]) });
      }
    }
    return [...features.values()];
  }

  /**
   * Returns whether a file's rows have the inputs of an upstream model, so that the model predicts from them as
   * `/predict` does. The rows must have every required input, and at least one input. A model that reads only times
   * predicts by time instead, because its own series has the rows in between.
   *
   * @param names columns of the file
   * @param hasTimes whether the rows have times. Otherwise they need the time columns of the upstream models.
   */
  async carriesInputs(upstream: OpenModel, names: ReadonlySet<string>, hasTimes: boolean): Promise<boolean> {
    let carried = 0;
    const complete = async (model: OpenModel): Promise<boolean> => {
      for (const { name, role, required, sourceProjectId } of model.inputFeatures) {
        if (role === "timestamp") {
          if (!hasTimes && !names.has(name)) return false;
          continue;
        }
        if (names.has(name)) carried++;
        else if (role === "input" && required) return false;
        else if (role === "upstream") {
          if (!this.has(sourceProjectId)) return false;
          if (!(await complete((await this.project(sourceProjectId)).model))) return false;
        }
      }
      return true;
    };
    return (await complete(upstream)) && carried > 0;
  }
}
