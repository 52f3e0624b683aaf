import { limits } from "#lib/contract/limits";
import type { Warning } from "#lib/contract/warnings";
import type { SourceFile } from "#lib/domain/datasets/file-source";
import type { UploadProfile } from "#lib/domain/datasets/profile-upload";
import { rejectTooManyRows } from "#lib/domain/datasets/read-csv-file";
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
  const sent = featuresToSend(model);
  const inputFeatures = facts === null ? sent : withTime(sent, facts.timestamp);
  const request = {
    features: await series.readableFeatures({ ...model, inputFeatures }),
    format: model.inputFormat,
    own: inputFeatures.map(({ name }) => name),
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

const rowsMaxOf = ({ state }: OpenModel) => (state.series ? limits.panelScenarioRows : limits.scenarioRows);

/**
 * Limits the rows of an upload by the lines that were counted during it.
 *
 * @throws {DomainError} input_invalid for more rows than a scenario allows
 */
export function requireUploadedRows(
  model: OpenModel,
  { lineCount, headerRow = 1 }: Pick<UploadProfile, "lineCount" | "headerRow">,
): void {
  const header = Math.max(headerRow, model.inputFormat.reading?.headerRow ?? 1);
  rejectTooManyRows(lineCount - (header - 1), rowsMaxOf(model));
}

/** Warns of upstream features in the file. Their values replace the predictions of the upstream model. */
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
