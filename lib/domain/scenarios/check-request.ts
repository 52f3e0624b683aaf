import type { Database } from "#db/client";
import type { Adjustment } from "#lib/contract/scenarios";
import type { Warning } from "#lib/contract/warnings";
import { csvError, inputIssuesError } from "#lib/domain/datasets/csv-error";
import { openSource } from "#lib/domain/datasets/file-source";
import type { LinkedProject } from "#lib/domain/models/linked/linked-models";
import type { LinkedSeries } from "#lib/domain/models/linked/linked-series";
import { checkUpload } from "./check-upload.ts";
import { findScenario, requireReady } from "./find-scenario.ts";
import { adjustmentError } from "./run/adjust-input.ts";
import { adjustStored } from "./run/adjust-stored.ts";
import { planGeneration } from "./run/plan-generation.ts";
import { readCsv } from "./run/read-csv.ts";
import { requireGeneratedRows } from "./run/require-generated-rows.ts";
import {
  firstGeneratedRow,
  nothingGiven,
  requireHeldOut,
  requireReadable,
  requireUpstream,
  storedRows,
} from "./run/require-inputs.ts";
import { readInputNotes } from "./run/scenario-input.ts";
import { readUpstreamOnly, writeUpstreamOnly } from "./run/upstream-only-columns.ts";
import type { InputSource, PinnedCheckpoints } from "./scenario-request.ts";
import type { PinnedCheckpoint } from "./select-scenarios.ts";

/** Options of an input check. */
type InputChecking = {
  adjustments: readonly Adjustment[];
  pinnedCheckpoints: PinnedCheckpoints;
  /** Folder for the input as sent. */
  storeAs: string;
  /** Aborted when the caller disconnects. */
  signal: AbortSignal | undefined;
};

/**
 * Checks an input before its job is enqueued. Stores a CSV from the request, or the input of a base scenario. The job
 * checks the rows of an upload, and stores generated inputs and uploads.
 *
 * @returns warnings about the file
 * @throws {DomainError} validation_failed, input_invalid, upload_not_found, scenario_not_found, scenario_not_ready
 * @throws {GenerationImpossible}
 */
export async function checkScenarioInput(
  db: Database,
  series: LinkedSeries,
  project: LinkedProject,
  source: InputSource,
  checking: InputChecking,
): Promise<Warning[]> {
  const { projectId } = project;
  if (source.kind === "Generated") {
    const until = planGeneration(project.model, project.facts, source.endDate);
    await requireGeneratedRows(series, projectId, until);
    await requireReadable(project);
    if (project.facts === null) await requireHeldOut(series, project);
    else await requireUpstream(series, project, { ...nothingGiven, until, rows: firstGeneratedRow(project) });
    return [];
  }
  if (source.kind === "Clone") {
    await storeClone(db, series, project, source.baseScenarioId, checking);
    return [];
  }
  if (source.uploadId !== null) {
    const { signal } = checking;
    const check = await checkUpload(db, series, { projectId, uploadId: source.uploadId, signal });
    if (check.issueCount > 0) throw csvError(check);
    const header = new Set(check.header);
    await requireUpstream(series, project, { given: header, until: null, file: header, rows: null });
    return [];
  }
  const sent = await openSource(db, { projectId, fileData: source.fileData });
  const { check, ...input } = await readCsv(series, projectId, sent, checking);
  if (!check.valid) throw csvError(check);
  const file = new Set([...input.columns, ...input.upstreamOnly]);
  const rows = storedRows(project, checking.storeAs);
  await requireUpstream(series, project, { given: file, until: input.latest, file, rows });
  return check.warnings;
}

async function storeClone(
  db: Database,
  series: LinkedSeries,
  project: LinkedProject,
  baseScenarioId: string,
  { adjustments, pinnedCheckpoints, storeAs, signal }: InputChecking,
): Promise<void> {
  const { projectId } = project;
  const field = "baseScenarioId";
  const base = await findScenario(db, { projectId, scenarioId: baseScenarioId, field });
  requireReady([base], field);
  const inputKey = base.scenario.inputKey!;
  const { computed, knownUntil, generated } = await readInputNotes(inputKey);
  const replaced = samePinnedCheckpoints(base.pinned, pinnedCheckpoints) ? [] : computed;
  const isKept = (name: string) => !replaced.includes(name);
  const { columns, latest, unfit, check } = await adjustStored(series, project, inputKey, {
    adjustments,
    store: {
      key: storeAs,
      rows: "before",
      without: replaced,
      notes: { computed: computed.filter(isKept), knownUntil, generated: generated?.filter(isKept) },
    },
    signal,
  });
  if (unfit.length > 0) throw adjustmentError(unfit);
  // Upstream predictions of the base scenario do not count as given, even where they are reused.
  const sent = new Set(columns.filter((name) => !computed.includes(name)));
  const upstreamOnly = await readUpstreamOnly(inputKey);
  const file = upstreamOnly && new Set([...sent, ...upstreamOnly.columns.map(({ name }) => name)]);
  const rows = storedRows(project, inputKey);
  await requireUpstream(series, project, { given: sent, until: latest, file, rows });
  const { issues, issueCount } = check;
  if (issueCount > 0) throw inputIssuesError("The input of the base scenario", issues, issueCount);
  if (upstreamOnly !== null) await writeUpstreamOnly(storeAs, upstreamOnly);
}

/** Returns whether the upstream checkpoints are the same. Their predictions are then unchanged and can be reused. */
function samePinnedCheckpoints(
  base: readonly PinnedCheckpoint[],
  pinnedCheckpoints: PinnedCheckpoints,
): boolean {
  return base.every(
    ({ projectId, checkpointId }) =>
      checkpointId !== null && pinnedCheckpoints.get(projectId) === checkpointId,
  );
}
