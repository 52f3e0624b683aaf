import type { Database } from "#db/client";
import type { Warning } from "#lib/contract/warnings";
import { currentDataset, type DatasetRow } from "#lib/domain/datasets/current-dataset";
import type { SourceFile } from "#lib/domain/datasets/file-source";
import { type OpenModel, openModel } from "#lib/domain/models/open-model";
import { readableFeatures } from "#lib/domain/models/readable-features";
import { memoize } from "#lib/platform/concurrency/memoize";
import type { CheckedInput } from "./check-and-store-input.ts";
import { runInputTask } from "./input-tasks.ts";
import { type SeriesFacts, seriesFacts } from "./known-rows.ts";
import type { InputNotes, InputSummary } from "./scenario-input.ts";
import { withTime } from "./series-tables.ts";

/** Folder of a model in the artifact store, with its digest if the caller has it. */
type ModelFolder = string | { artifactKey: string; sha256: string };

/** One project's model in a scenario, with its dataset and the time properties of its series. */
export type PinnedProject = {
  projectId: string;
  model: OpenModel;
  dataset: DatasetRow | null;
  /** null for a model without times. */
  facts: SeriesFacts | null;
};

/** The models of a scenario, one per project. Opens each model once. */
export class PinnedModels {
  readonly #db: Database;
  readonly #folders: ReadonlyMap<string, ModelFolder>;
  readonly #projects = new Map<string, Promise<PinnedProject>>();

  /** @param folders project → the model that predicts for it */
  constructor(db: Database, folders: ReadonlyMap<string, ModelFolder>) {
    this.#db = db;
    this.#folders = folders;
  }

  /** Returns the folder of the project's model. */
  folderOf(projectId: string): string {
    return this.#folderOf(projectId).artifactKey;
  }

  #folderOf(projectId: string): { artifactKey: string; sha256?: string } {
    const folder = this.#folders.get(projectId);
    if (folder === undefined) throw new Error(`The scenario has no pinned model of project ${projectId}`);
    return typeof folder === "string" ? { artifactKey: folder } : folder;
  }

  has(projectId: string | null): projectId is string {
    return projectId !== null && this.#folders.has(projectId);
  }

  project(projectId: string): Promise<PinnedProject> {
    return memoize(this.#projects, projectId, async () => {
      const { artifactKey, sha256 } = this.#folderOf(projectId);
      const [model, dataset] = await Promise.all([
        openModel(artifactKey, sha256),
        currentDataset(this.#db, projectId),
      ]);
      return { projectId, model, dataset, facts: seriesFacts(model, dataset) };
    });
  }

  /** Returns the pinned model of a project; null without one. */
  async modelOf(projectId: string | null): Promise<OpenModel | null> {
    return this.has(projectId) ? (await this.project(projectId)).model : null;
  }

  /**
   * Reads a file as the project's input and checks it. Stores the columns of a valid file that the models read.
   *
   * @param storeAs folder in the artifact store; null: check only
   * @throws {DomainError} the errors of `checkAndStoreInput` and of `taskRunner`
   */
  async readCsv(
    projectId: string,
    file: SourceFile,
    {
      storeAs = null,
      notes = { computed: [], knownUntil: null },
      signal,
    }: { storeAs?: string | null; notes?: InputNotes; signal?: AbortSignal | undefined },
  ): Promise<CheckedInput> {
    const { model, facts } = await this.project(projectId);
    const inputFeatures =
      facts === null ? model.inputFeatures : withTime(model.inputFeatures, facts.timestamp);
    const request = {
      features: await readableFeatures({ ...model, inputFeatures }, (id) => this.modelOf(id)),
      format: model.inputFormat,
      own: inputFeatures.map(({ name }) => name),
      timestamp: facts?.timestamp ?? null,
      storeAs,
      notes,
    };
    const read = await runInputTask("read", request, { ...file, signal });
    const warnings = [...read.check.warnings, ...givenUpstream(model, read)];
    return { ...read, check: { ...read.check, warnings } };
  }
}

/** Warns of upstream features in the file. Their values replace the predictions of the pinned checkpoint. */
function givenUpstream(
  { inputFeatures }: OpenModel,
  { columns, rowCount }: Pick<InputSummary, "columns" | "rowCount">,
): Warning[] {
  return inputFeatures
    .filter(({ name, role }) => role === "upstream" && columns.includes(name))
    .map(({ name }) => ({
      code: "upstream_given",
      column: name,
      message: `"${name}" is the prediction of an upstream project. The values of the file replace it.`,
      rows: rowCount,
    }));
}
