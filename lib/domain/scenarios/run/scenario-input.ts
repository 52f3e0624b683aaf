import type { GeneratedInput } from "#lib/contract/generated-inputs";
import type { Column, Table } from "#lib/contract/table";
import { jsonFile, readJson } from "#lib/engine/inference/model-files";
import { type BlockPlace, blocksOf, encodeBlock } from "#lib/engine/table/blocks";
import { findColumn, numericValues } from "#lib/engine/table/columns";
import type { Content } from "#lib/platform/storage/artifact-store";
import { ArtifactNotFoundError } from "#lib/platform/storage/storage-errors";
import { store } from "#lib/platform/storage/store";

/** The input of a scenario: one column a feature, in the order of the model's features. */
export type ScenarioInput = {
  table: Table;
  /**
   * Columns that upstream checkpoints predicted. A scenario made from this one with other checkpoints predicts them
   * anew; all other columns it takes over as they are.
   */
  computed: readonly string[];
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

/** The later of two times, of which there may be none. */
export function laterOf(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b);
}

/** What is noted beside the rows of an input. */
export type InputNotes = Omit<ScenarioInput, "table">;

/** A column without its values. */
export type InputColumn = Pick<Column, "name" | "type">;

/** Where the rows of an input lie in its file. */
export type InputLayout = { columns: InputColumn[]; blocks: BlockPlace[] };

/** `layout` is null for an input that was stored before it was noted. */
type Notes = InputNotes & { layout: InputLayout | null };

export const tableFileName = "input.bin";
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
  await writeInputRows(key, blocksOf(table), notes, generated);
}

/** Publishes an input whose rows come one block after the other. Where they break off, nothing is published. */
export async function writeInputRows(
  key: string,
  blocks: Iterable<Table> | AsyncIterable<Table>,
  notes: InputNotes,
  generated: readonly GeneratedInput[] = [],
): Promise<void> {
  const layout: InputLayout = { columns: [], blocks: [] };
  async function* content() {
    for await (const block of blocks) {
      if (layout.columns.length === 0)
        layout.columns = block.columns.map(({ name, type }) => ({ name, type }));
      if (block.rowCount === 0) continue;
      const parts = encodeBlock(block);
      layout.blocks.push({
        rows: block.rowCount,
        bytes: parts.reduce((sum, { length }) => sum + length, 0),
      });
      yield* parts;
    }
  }
  // Written once all rows are: it says where they lie.
  async function* noted() {
    const { computed, knownUntil } = notes;
    yield jsonFile({ version: 1, computed, knownUntil, layout });
  }
  await store().writeFolder(
    key,
    new Map<string, Content>([
      [tableFileName, content()],
      [notesFileName, noted()],
      ...(generated.length > 0 ? [[generatedFileName, jsonFile(generated)] as const] : []),
    ]),
  );
}

/**
 * What is noted beside the table of an input.
 *
 * @throws {ArtifactNotFoundError}
 */
export async function readInputNotes(key: string): Promise<InputNotes> {
  const { computed, knownUntil } = await readNotes(key);
  return { computed, knownUntil };
}

/**
 * The same, and where the rows lie.
 *
 * @throws {ArtifactNotFoundError}
 */
export async function readNotes(key: string): Promise<Notes> {
  const { layout = null, ...notes }: InputNotes & Partial<Notes> = readJson(
    await store().readFile(key, notesFileName),
  );
  return { ...notes, layout };
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
