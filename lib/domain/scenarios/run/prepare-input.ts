import type { Database } from "#db/client";
import type { GeneratedInput } from "#lib/contract/generated-inputs";
import type { Warning } from "#lib/contract/warnings";
import { csvError } from "#lib/domain/datasets/csv-error";
import { followed, openSource } from "#lib/domain/datasets/file-source";
import type { LinkedProject } from "#lib/domain/models/linked/linked-models";
import type { LinkedSeries } from "#lib/domain/models/linked/linked-series";
import type { GeneratedInputs } from "#lib/engine/forecasting/generation";
import type { PreviewPoints } from "#lib/engine/forecasting/preview-forecast";
import { stillGenerated } from "#lib/engine/inference/adjustments";
import { adjustmentError } from "./adjust-input.ts";
import { adjustStored } from "./adjust-stored.ts";
import { type MadeInput, makeInput, notAdjusted, notesOf, type ScenarioToMake } from "./make-input.ts";
import { checkInputTable, type RowsToPredict, requireUsable } from "./predict-scenario.ts";
import { readCsv } from "./read-csv.ts";
import { sentInputKey, writeScenarioInput } from "./scenario-input.ts";
import { StoredInput } from "./stored-input.ts";

/** A scenario's input, ready for prediction. */
export type PreparedInput = RowsToPredict &
  Pick<MadeInput, "knownUntil" | "generated" | "warnings" | "forecasts"> & {
    /** Warnings from the check of the complete input against the model. */
    modelWarnings: Warning[];
    /** Publishes the input in its folder, unless already done. */
    publish(): Promise<void>;
  };

type Preparing = {
  uploadId: string | null;
  /** Folder of the final input. */
  inputKey: string;
  rowsBuildOnEachOther: boolean;
  signal: AbortSignal;
  /** Receives the share of an uploaded file read so far, 0 to 1. */
  onRead: (share: number) => void;
};

/**
 * Prepares the input of a scenario. `streamInput` streams it block by block to its folder if the model predicts each row
 * independently. An input that it cannot stream is made in memory.
 *
 * @throws {DomainError} input_invalid, validation_failed for adjustments, upload_not_found
 * @throws {GenerationImpossible}
 */
export async function prepareInput(
  db: Database,
  series: LinkedSeries,
  scenario: ScenarioToMake,
  preparing: Preparing,
): Promise<PreparedInput> {
  const project = await series.project(scenario.projectId);
  const streamed = preparing.rowsBuildOnEachOther
    ? null
    : await streamInput(db, series, project, scenario, preparing);
  if (streamed !== null) {
    const { knownUntil, generated, warnings, modelWarnings } = streamed;
    const input = await StoredInput.open(preparing.inputKey);
    return {
      rowCount: input.rowCount,
      knownUntil,
      generated,
      warnings,
      modelWarnings,
      forecasts: [],
      blocks: input.rows(),
      areReadOnce: true,
      publish: async () => {},
    };
  }
  const { uploadId, inputKey, signal } = preparing;
  const input = await makeInput(db, series, scenario, uploadId, signal);
  const { table, knownUntil, generated, warnings, forecasts } = input;
  return {
    rowCount: table.rowCount,
    knownUntil,
    generated,
    warnings,
    forecasts,
    blocks: [table],
    areReadOnce: false,
    modelWarnings: checkInputTable(project, table),
    publish: () => writeScenarioInput(inputKey, input, presentGenerated(forecasts)),
  };
}

type Streamed = Pick<PreparedInput, "knownUntil" | "generated" | "warnings" | "modelWarnings">;

/**
 * Streams the input to its folder. Returns null for a generated input, an input that lacks upstream features, and an upload
 * for a model with upstream features.
 */
async function streamInput(
  db: Database,
  series: LinkedSeries,
  project: LinkedProject,
  { runId, projectId, source, adjustments, warnings: sentWarnings }: ScenarioToMake,
  { uploadId, inputKey, signal, onRead }: Preparing,
): Promise<Streamed | null> {
  const upstream = project.model.inputFeatures.filter(({ role }) => role === "upstream");
  const latest = project.facts?.plannedUntil ?? null;
  if (source === "Generated") return null;
  if (uploadId !== null) {
    if (upstream.length > 0) return null;
    const file = followed(await openSource(db, { projectId, uploadId }), onRead);
    const notes = { computed: [], knownUntil: latest, series: project.model.state.series };
    const { check } = await readCsv(series, projectId, file, { storeAs: inputKey, notes, signal });
    signal.throwIfAborted();
    if (!check.valid) throw csvError(check);
    // The CSV check already includes the model's warnings.
    return { knownUntil: latest, warnings: check.warnings, modelWarnings: [] };
  }
  const sentKey = sentInputKey(projectId, runId);
  const sent = await StoredInput.open(sentKey);
  const columnNames = new Set(sent.columns.map(({ name }) => name));
  if (upstream.some(({ name }) => !columnNames.has(name))) return null;
  const { computed, knownUntil, ...own } = notesOf(source, sent, latest);
  const generated = stillGenerated(own.generated, adjustments);
  const { series: columns } = project.model.state;
  const notes = { computed: notAdjusted(computed, adjustments), knownUntil, generated, series: columns };
  const { unfit, check } = await adjustStored(series, project, sentKey, {
    adjustments,
    store: { key: inputKey, rows: "adjusted", without: [], notes },
    signal,
  });
  signal.throwIfAborted();
  if (unfit.length > 0) throw adjustmentError(unfit);
  requireUsable(check);
  return { knownUntil, generated, warnings: sentWarnings, modelWarnings: check.warnings };
}

/** Converts the forecasts of generated inputs for storage and for the API. */
function presentGenerated(forecasts: GeneratedInputs["forecasts"]): GeneratedInput[] {
  return forecasts.map(({ preview, isExact: _, ...choice }) => ({
    ...choice,
    known: withTimes(preview.known),
    generated: withTimes(preview.generated),
  }));
}

const withTimes = ({ instants, values }: PreviewPoints) => ({
  timestamps: instants.map((instant) => new Date(instant).toISOString()),
  values,
});
