import type { GeneratedInput } from "#lib/contract/generated-inputs";
import type { Column, Table } from "#lib/contract/table";
import { jsonFile, readJson } from "#lib/engine/inference/model-files";
import type { PanelColumns } from "#lib/engine/panel/panel-rows";
import { type BlockPlace, blocksOf, encodeBlock } from "#lib/engine/table/blocks";
import { findColumn, numericValues } from "#lib/engine/table/columns";
import type { Content } from "#lib/platform/storage/artifact-store";
import { nullIfNotFound } from "#lib/platform/storage/storage-errors";
import { store } from "#lib/platform/storage/store";

/** The input of a scenario: one column per feature, in the order of the model's features. */
export type ScenarioInput = {
  table: Table;
  /**
   * Columns that upstream checkpoints predicted. A scenario created from this one with other checkpoints predicts these
   * columns again and copies all other columns.
   */
  computed: readonly string[];
  /**
   * Time (epoch milliseconds) up to which target values count as known to a model that looks back. Scenarios created from
   * this one start at the same time. Null: the model uses the rows that it keeps, as for a prediction.
   */
  knownUntil: number | null;
  /** Columns that were generated. A scenario created from this one keeps them unless it sets all of their values. */
  generated?: readonly string[] | undefined;
  /** Columns that name the series of each row. Absent for one series. */
  series?: PanelColumns | undefined;
};

/** Summary of an input for the checks of a request. */
export type InputSummary = {
  columns: string[];
  rowCount: number;
  /** Latest time, epoch milliseconds; null without times. */
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

/** Notes stored with the rows of an input. */
export type InputNotes = Omit<ScenarioInput, "table">;

/** A column without its values. */
export type InputColumn = Pick<Column, "name" | "type">;

/** Columns of an input, and the positions of its blocks in the file. */
type InputLayout = { columns: InputColumn[]; blocks: BlockPlace[] };

export type Notes = InputNotes & { layout: InputLayout };

export const tableFileName = "input.bin";
const notesFileName = "input.json";
const generatedFileName = "generated.json";

/** Returns the folder of all artifacts of a run. */
const runFolder = (projectId: string, runId: string) => `projects/${projectId}/scenarios/${runId}`;

/** Returns the folder of the input as sent, before upstream features and adjustments. It is kept so that a job can rerun. */
export const sentInputKey = (projectId: string, runId: string) => `${runFolder(projectId, runId)}/sent`;

/** Returns the folder of the final input. Each attempt has its own: see `attemptKey`. */
export const publishedInputKey = (projectId: string, runId: string) => `${runFolder(projectId, runId)}/input`;

/** Writes an input. Replaces one that an earlier attempt of the job wrote. */
export async function writeScenarioInput(
  key: string,
  { table, ...notes }: ScenarioInput,
  forecasts: readonly GeneratedInput[] = [],
): Promise<void> {
  await writeInputRows(key, blocksOf(table), notes, forecasts);
}

/** Publishes an input block by block. If reading the blocks fails, nothing is published. */
export async function writeInputRows(
  key: string,
  blocks: Iterable<Table> | AsyncIterable<Table>,
  notes: InputNotes,
  forecasts: readonly GeneratedInput[] = [],
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
  // Written after all rows, because it contains their positions.
  async function* noted() {
    const { computed, knownUntil, generated = [], series } = notes;
    const kept = { ...(generated.length > 0 && { generated }), ...(series && { series }) };
    yield jsonFile({ version: 1, computed, knownUntil, ...kept, layout });
  }
  await store().writeFolder(
    key,
    new Map<string, Content>([
      [tableFileName, content()],
      [notesFileName, noted()],
      ...(forecasts.length > 0 ? [[generatedFileName, jsonFile(forecasts)] as const] : []),
    ]),
  );
}

/**
 * Reads the notes and the layout of an input.
 *
 * @throws {ArtifactNotFoundError}
 */
export async function readInputNotes(key: string): Promise<Notes> {
  return readJson(await store().readFile(key, notesFileName));
}

/** Reads how an input was generated. Empty for an input that was not generated. */
export async function readGeneratedInputs(key: string): Promise<GeneratedInput[]> {
  const bytes = await nullIfNotFound(store().readFile(key, generatedFileName));
  return bytes === null ? [] : readJson(bytes);
}
