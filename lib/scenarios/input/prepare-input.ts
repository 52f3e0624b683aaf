import type { Database } from "#db/client";
import type { Warning } from "#lib/contract/datasets";
import { csvRefusal } from "#lib/datasets/csv-refusal";
import { openSource } from "#lib/datasets/file-source";
import type { PinnedSeries } from "../models/pinned-series.ts";
import { checkWhole, type RowsToPredict } from "../predict-scenario.ts";
import { type MadeInput, makeInput, type ScenarioToMake } from "./make-input.ts";
import { presentGenerated } from "./present-generated.ts";
import { writeScenarioInput } from "./scenario-input.ts";
import { StoredInput } from "./stored-input.ts";

/** A scenario's input, ready to be predicted. */
export type PreparedInput = RowsToPredict &
  Pick<MadeInput, "knownUntil" | "warnings" | "forecasts"> & {
    /** What the model warns of in the whole input. */
    modelWarnings: Warning[];
    /** Publishes it in its folder, where that is not done yet. */
    publish(): Promise<void>;
  };

type Preparing = {
  uploadId: string | null;
  /** Folder of the input as it is predicted from. */
  inputKey: string;
  buildOnEachOther: boolean;
  signal: AbortSignal;
};

/**
 * Makes the input of a scenario: in memory, or, of an uploaded file to which nothing is to be added, in its folder at once.
 *
 * @throws {DomainError} for an input that turns out not to fit the model; {GenerationImpossible}
 */
export async function prepareInput(
  db: Database,
  series: PinnedSeries,
  scenario: ScenarioToMake,
  { uploadId, inputKey, buildOnEachOther, signal }: Preparing,
): Promise<PreparedInput> {
  const { projectId } = scenario;
  const project = await series.project(projectId);
  const needsUpstream = project.model.inputFeatures.some(({ role }) => role === "upstream");
  if (uploadId !== null && scenario.adjustments.length === 0 && !needsUpstream && !buildOnEachOther) {
    const knownUntil = project.facts?.lastTimestamp ?? null;
    const file = await openSource(db, { projectId, uploadId });
    const notes = { computed: [], knownUntil };
    const { check, rowCount } = await series.readCsv(projectId, file, { storeAs: inputKey, notes, signal });
    signal.throwIfAborted();
    if (!check.valid) throw csvRefusal(check);
    return {
      ...{ rowCount, knownUntil, warnings: check.warnings, forecasts: [] },
      blocks: (await StoredInput.open(inputKey)).rows(),
      areSpent: true,
      modelWarnings: [], // The reader has told them all.
      publish: async () => {},
    };
  }
  const input = await makeInput(db, series, scenario, uploadId, signal);
  const { table, knownUntil, warnings, forecasts } = input;
  return {
    ...{ rowCount: table.rowCount, knownUntil, warnings, forecasts },
    blocks: [table],
    areSpent: false,
    modelWarnings: checkWhole(project, table),
    publish: () => writeScenarioInput(inputKey, input, presentGenerated(forecasts)),
  };
}
