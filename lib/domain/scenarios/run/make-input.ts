import type { Database } from "#db/client";
import type { Adjustment } from "#lib/contract/scenarios";
import type { Warning } from "#lib/contract/warnings";
import { csvError } from "#lib/domain/datasets/csv-error";
import { openSource } from "#lib/domain/datasets/file-source";
import type { LinkedSeries } from "#lib/domain/models/linked/linked-series";
import { inFeatureOrder } from "#lib/domain/models/linked/series-tables";
import type { ScenarioRow } from "#lib/domain/scenarios/select-scenarios";
import type { GeneratedInputs } from "#lib/engine/forecasting/generation";
import { stillGenerated } from "#lib/engine/inference/adjustments";
import { inSampleWarning } from "#lib/engine/inference/predict-table";
import { dropColumns } from "#lib/engine/table/columns";
import { writeArtifacts } from "#lib/platform/artifacts/write-artifacts";
import { adjustInput } from "./adjust-input.ts";
import { endAfter, planGeneration } from "./plan-generation.ts";
import { readCsv } from "./read-csv.ts";
import { type InputNotes, type ScenarioInput, sentInputKey } from "./scenario-input.ts";
import { readScenarioInput } from "./stored-input.ts";
import { readUpstreamOnly, upstreamOnlyKey, writeUpstreamOnly } from "./upstream-only-columns.ts";

export type MadeInput = ScenarioInput & {
  warnings: Warning[];
  forecasts: GeneratedInputs["forecasts"];
};

/** Run of a scenario, and the recipe of its input. `warnings`: those that the request found in the file. */
export type ScenarioToMake = Pick<
  ScenarioRow["scenario"],
  "runId" | "projectId" | "source" | "endDate" | "steps" | "adjustments" | "warnings"
>;

/**
 * Makes the complete input of a scenario in memory: the input of the request, upstream features, and adjustments.
 *
 * @throws {DomainError} input_invalid, validation_failed for adjustments, upload_not_found
 * @throws {GenerationImpossible}
 */
export async function makeInput(
  db: Database,
  series: LinkedSeries,
  scenario: ScenarioToMake,
  uploadId: string | null,
  signal?: AbortSignal,
): Promise<MadeInput> {
  const { projectId } = scenario;
  const { model, facts } = await series.project(projectId);
  const own = await ownInput(db, series, scenario, uploadId, signal);
  signal?.throwIfAborted();
  const upstreamOnly = await readUpstreamOnly(sentInputKey(projectId, scenario.runId));
  const { table, added, generated } = await series.withUpstream(projectId, own.table, { upstreamOnly });
  const timestamp = facts?.timestamp ?? null;
  const adjusted = adjustInput(table, scenario.adjustments, timestamp);
  return {
    table: inFeatureOrder(model.inputFeatures, adjusted),
    computed: notAdjusted([...own.computed, ...added], scenario.adjustments),
    knownUntil: own.knownUntil,
    generated: stillGenerated([...(own.generated ?? []), ...generated], scenario.adjustments),
    series: model.state.series,
    warnings: own.warnings,
    forecasts: own.forecasts,
  };
}

/** Returns the scenario's input before upstream predictions are added and adjustments are applied. */
async function ownInput(
  db: Database,
  series: LinkedSeries,
  { runId, projectId, source, endDate, steps, warnings: sentWarnings }: ScenarioToMake,
  uploadId: string | null,
  signal: AbortSignal | undefined,
): Promise<MadeInput> {
  const { model, facts } = await series.project(projectId);
  const knownUntil = facts?.plannedUntil ?? null;
  if (source === "Generated") {
    const end = (facts && steps && endAfter(facts, steps)) ?? endDate?.getTime() ?? null;
    const until = planGeneration(model, facts, end);
    const { table, forecasts } = await series.generate(projectId, until);
    const { version, timestamp, imported } = model.state;
    // Without times, the input consists of held-out rows. From version 2 on, trained models are fitted on them too.
    const isInSample = timestamp === null && imported === null && version > 1;
    const warnings = isInSample ? [inSampleWarning(table.rowCount)] : [];
    const generated = forecasts.filter(({ isExact }) => !isExact).map(({ feature }) => feature);
    if (facts === null && model.upstream.length > 0) {
      const names = model.inputFeatures.map(({ name }) => name);
      const key = sentInputKey(projectId, runId);
      const upstreamOnly = dropColumns(model.heldOut!, names);
      await writeArtifacts(db, [upstreamOnlyKey(key)], () => writeUpstreamOnly(key, upstreamOnly));
    }
    // The input has the planned rows itself.
    return {
      table,
      forecasts,
      computed: [],
      generated,
      warnings,
      knownUntil: facts?.lastTimestamp ?? null,
    };
  }
  if (uploadId !== null) {
    const storeAs = sentInputKey(projectId, runId);
    // The scenario already owns these folders. If the scenario is deleted during the write, workers delete them.
    return writeArtifacts(db, [storeAs, upstreamOnlyKey(storeAs)], async () => {
      const file = await openSource(db, { projectId, uploadId });
      const { check } = await readCsv(series, projectId, file, { storeAs, signal });
      if (!check.valid) throw csvError(check);
      const sent = await readScenarioInput(storeAs);
      return { ...sent, knownUntil, forecasts: [], warnings: check.warnings };
    });
  }
  const { table, ...notes } = await readScenarioInput(sentInputKey(projectId, runId));
  const own = notesOf(source, notes, knownUntil);
  return { table, ...own, forecasts: [], warnings: sentWarnings };
}

/**
 * Returns the notes of an input that was sent. The model looks back from the newest known row, as in `/predict`. For a
 * what-if scenario, it looks back from the same time as for the base scenario.
 *
 * @param knownUntil last known time of the series
 */
export function notesOf(
  source: ScenarioToMake["source"],
  sent: InputNotes,
  knownUntil: number | null,
): InputNotes {
  return source === "Upload" ? { ...sent, knownUntil } : sent;
}

/** Returns the computed columns that no adjustment changes. A scenario based on this one may compute only these again. */
export function notAdjusted(computed: readonly string[], adjustments: readonly Adjustment[]): string[] {
  const changed = new Set(adjustments.map(({ feature }) => feature));
  return computed.filter((feature) => !changed.has(feature));
}
