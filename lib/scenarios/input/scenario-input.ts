import type { GeneratedInput } from "#lib/contract/generated-inputs";
import type { Table } from "#lib/contract/table";
import { jsonFile, readJson } from "#lib/ml/model/model-files";
import { decodeBlocks, decodeRows, encodeBlock } from "#lib/ml/table/blocks";
import { encodeTable } from "#lib/ml/table/codec";
import { findColumn, numericValues } from "#lib/ml/table/columns";
import type { Content } from "#lib/storage/artifact-store";
import { ArtifactNotFoundError } from "#lib/storage/storage-errors";
import { store } from "#lib/storage/store";

/** The input of a scenario: one column a feature, in the order of the model's features. */
export type ScenarioInput = {
  table: Table;
  /**
   * Columns that upstream checkpoints predicted. A scenario made from this one with other checkpoints predicts them
   * anew; all other columns it takes over as they are.
   */
  computed: string[];
  /**
   * Epoch milliseconds up to which values of the target count as known to a model that looks back at them, so that
   * scenarios made from this one start from the same place; null: what the model itself keeps, as for a prediction.
   */
  knownUntil: number | null;
};

/** What a request needs to know of an input. */
export type InputSummary = {
  columns: string[];
  rowCount: number;
  /** The latest of its times, epoch milliseconds; null where it has none. */
  latest: number | null;
};

export function summarizeInput(table: Table, timestamp: string | null): InputSummary {
  const times = timestamp === null ? undefined : findColumn(table, timestamp);
  const latest =
    times === undefined
      ? null
      : numericValues(table, times.name).reduce(
          (most, time) => Math.max(most, time),
          Number.NEGATIVE_INFINITY,
        );
  return { columns: table.columns.map(({ name }) => name), rowCount: table.rowCount, latest };
}

/** What is noted beside the rows of an input. */
export type InputNotes = Omit<ScenarioInput, "table">;

type Notes = { version: 1 } & InputNotes;

const tableFileName = "input.bin";
const notesFileName = "input.json";
const generatedFileName = "generated.json";

/** Folder of everything that a scenario keeps in the artifact store. */
const scenarioFolder = (projectId: string, scenarioId: string) =>
  `projects/${projectId}/scenarios/${scenarioId}`;

/** The input as it was sent, before upstream features and adjustments; kept so that a job can run again. */
export const sentInputKey = (projectId: string, scenarioId: string) =>
  `${scenarioFolder(projectId, scenarioId)}/sent`;

/** Where attempts keep the input as it was predicted from: see `attemptKey`. */
export const finalInputPlace = (projectId: string, scenarioId: string) =>
  `${scenarioFolder(projectId, scenarioId)}/input`;

/** Publishes an input; one that was sent and is read once more, by a job that runs again, is replaced. */
export async function writeScenarioInput(
  key: string,
  { table, ...notes }: ScenarioInput,
  generated: readonly GeneratedInput[] = [],
): Promise<void> {
  await store().writeFolder(
    key,
    new Map([
      [tableFileName, encodeTable(table)],
      [notesFileName, notesFile(notes)],
      ...(generated.length > 0 ? [[generatedFileName, jsonFile(generated)] as const] : []),
    ]),
  );
}

/** Publishes an input whose rows come one block after the other. Where they break off, nothing is published. */
export async function writeInputRows(
  key: string,
  blocks: AsyncIterable<Table>,
  notes: InputNotes,
): Promise<void> {
  async function* content() {
    for await (const block of blocks) if (block.rowCount > 0) yield* encodeBlock(block);
  }
  await store().writeFolder(
    key,
    new Map<string, Content>([
      [tableFileName, content()],
      [notesFileName, notesFile(notes)],
    ]),
  );
}

const notesFile = ({ computed, knownUntil }: InputNotes) =>
  new TextEncoder().encode(JSON.stringify({ version: 1, computed, knownUntil } satisfies Notes));

/**
 * What is noted beside the table of an input.
 *
 * @throws {ArtifactNotFoundError}
 */
export async function readInputNotes(key: string): Promise<InputNotes> {
  const { computed, knownUntil } = JSON.parse(
    (await store().readFile(key, notesFileName)).toString(),
  ) as Notes;
  return { computed, knownUntil };
}

/** How an input was generated; nothing where it was not. */
export async function readGeneratedInputs(key: string): Promise<GeneratedInput[]> {
  try {
    return readJson(await store().readFile(key, generatedFileName));
  } catch (error) {
    if (error instanceof ArtifactNotFoundError) return [];
    throw error;
  }
}

/** @throws {ArtifactNotFoundError} */
export async function readScenarioInput(key: string): Promise<ScenarioInput> {
  const [table, notes] = await Promise.all([store().readFile(key, tableFileName), readInputNotes(key)]);
  return { table: decodeRows(table), ...notes };
}

/**
 * The rows of an input, block by block: of one that was read as a file no more than some tens of thousands at a time.
 *
 * @throws {ArtifactNotFoundError}
 */
export async function openInputRows(key: string): Promise<AsyncGenerator<Table>> {
  return decodeBlocks(await store().openRead(key, tableFileName));
}
