import { limits } from "#lib/contract/limits";
import type { Warning } from "#lib/contract/warnings";
import type { SourceFile } from "#lib/domain/datasets/file-source";
import type { LinkedSeries } from "#lib/domain/models/linked/linked-series";
import { featuresToSend, knownLevels } from "#lib/domain/models/linked/series-levels";
import { withTime } from "#lib/domain/models/linked/series-tables";
import type { OpenModel } from "#lib/domain/models/open-model";
import type { CheckedInput } from "./check-and-store-input.ts";
import { runInputTask } from "./input-tasks.ts";
import type { InputNotes, InputSummary } from "./scenario-input.ts";

/**
 * Reads a file as the project's input and checks it. Stores the columns of a valid file that the models read.
 *
 * @param storeAs folder in the artifact store; null: check only
 * @throws {DomainError} the errors of `checkAndStoreInput` and of `taskRunner`
 */
export async function readCsv(
  series: LinkedSeries,
  projectId: string,
  file: SourceFile,
  {
    storeAs = null,
    notes = { computed: [], knownUntil: null },
    signal,
  }: { storeAs?: string | null; notes?: InputNotes; signal?: AbortSignal | undefined },
): Promise<CheckedInput> {
  const { model, facts } = await series.project(projectId);
  const { own, ...columns } = await columnsToRead(series, projectId);
  const request = {
    ...columns,
    own: own.map(({ name }) => name),
    timestamp: facts?.timestamp ?? null,
    levels: await knownLevels(series, projectId),
    rowsMax: rowsMaxOf(model),
    storeAs,
    notes,
  };
  const read = await runInputTask("read", request, { ...file, signal });
  const warnings = [...read.check.warnings, ...givenUpstream(model, read)];
  return { ...read, check: { ...read.check, warnings } };
}

/** Returns the number of rows that a scenario of a model may have. */
export const rowsMaxOf = ({ state }: OpenModel) =>
  state.series ? limits.panelScenarioRows : limits.scenarioRows;

/** Returns which columns a file of the project may have, which of them the own model reads, and in which format. */
export async function columnsToRead(series: LinkedSeries, projectId: string) {
  const { model, facts } = await series.project(projectId);
  const sent = featuresToSend(model);
  const own = facts === null ? sent : withTime(sent, facts.timestamp);
  const features = await series.readableFeatures({ ...model, inputFeatures: own });
  return { features, own, format: model.inputFormat };
}

/** Warns of upstream features in the file. Their values replace the predictions of the upstream model. */
export function givenUpstream(
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
