import type { Database } from "#db/client";
import type { Adjustment } from "#lib/contract/scenarios";
import type { Warning } from "#lib/contract/warnings";
import { csvError, inputIssuesError } from "#lib/domain/datasets/csv-error";
import { openSource } from "#lib/domain/datasets/file-source";
import { profileAsStored } from "#lib/domain/datasets/profile-tasks";
import type { UploadProfile } from "#lib/domain/datasets/profile-upload";
import { readUpload } from "#lib/domain/datasets/read-upload";
import type { LinkedProject } from "#lib/domain/models/linked/linked-models";
import type { LinkedSeries } from "#lib/domain/models/linked/linked-series";
import { featuresToSend } from "#lib/domain/models/linked/series-levels";
import type { OpenModel } from "#lib/domain/models/open-model";
import { addAbsentColumns } from "#lib/engine/csv/check-against";
import { IssueList } from "#lib/engine/csv/issues";
import { type DomainError, issueError } from "#lib/platform/errors/domain-error";
import { findScenario, requireReady } from "./find-scenario.ts";
import { adjustmentError } from "./run/adjust-input.ts";
import { adjustStored } from "./run/adjust-stored.ts";
import { planGeneration } from "./run/plan-generation.ts";
import { readCsv, requireUploadedRows } from "./run/read-csv.ts";
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
    const upload = { projectId, uploadId: source.uploadId };
    const profile = await readProfile(db, upload, project.model, checking.signal);
    requireUploadedRows(project.model, profile);
    const header = new Set(profile.header);
    checkUploadedColumns(project.model, profile);
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

type HeaderProfile = Pick<UploadProfile, "header" | "columns" | "issues">;

/** Checks columns and types of an upload before the request is accepted. The job checks each row. */
function checkUploadedColumns(model: OpenModel, profile: HeaderProfile): void {
  const issues = uploadIssues(model, profile);
  if (issues.count > 0) throw csvError({ issues: issues.issues, issueCount: issues.count });
}

/** Checks an upload's header and column types against the inputs of a model. Reads no rows. */
export function uploadIssues(model: OpenModel, { header, columns, issues }: HeaderProfile): IssueList {
  const { inputFormat } = model;
  const inputFeatures = featuresToSend(model);
  const headerIssues = new IssueList(header);
  for (const issue of issues) headerIssues.add(issue);
  if (header.length === 0) return headerIssues;
  addAbsentColumns(header, inputFeatures, new Set(), headerIssues);
  const typeOf = new Map(columns.map(({ name, type }) => [name, type]));
  const hasMissingTexts = inputFormat.missing.length > 0;
  const formatted = new Set(inputFormat.numberFormats?.map(({ column }) => column));
  for (const { name, type } of inputFeatures) {
    const actual = typeOf.get(name);
    const expected = `a column "${name}" of type ${type}`;
    const mayBeText = hasMissingTexts || formatted.has(name);
    if (type === "number" && (actual === "timestamp" || (actual === "category" && !mayBeText))) {
      // `inferType` returns a category only if at least half of the first values are not plain numbers.
      const message = `Column "${name}" contains ${actual === "timestamp" ? "timestamps" : "text"}, not numbers.`;
      headerIssues.add({ row: null, column: name, value: null, code: "not_a_number", message, expected });
    } else if (
      type === "timestamp" &&
      (actual === "boolean" || (actual === "category" && !hasMissingTexts))
    ) {
      const message = `Column "${name}" contains values that are not dates or times.`;
      headerIssues.add({ row: null, column: name, value: null, code: "not_a_timestamp", message, expected });
    }
  }
  return headerIssues;
}

/**
 * Returns the profile of an upload as input of a model.
 *
 * @throws {DomainError} upload_not_found, validation_failed unless it is a table
 */
export async function readProfile(
  db: Database,
  { projectId, uploadId }: { projectId: string; uploadId: string },
  { inputFormat: { reading } }: OpenModel,
  signal: AbortSignal | undefined,
): Promise<UploadProfile> {
  const { profile, ...file } = await readUpload(db, { projectId, uploadId });
  if (profile === null) throw notCsvError(uploadId);
  return profileAsStored(file, profile, { reading, signal });
}

function notCsvError(uploadId: string): DomainError {
  const message =
    "The upload is no table. Send it with Content-Type text/csv, or that of Excel workbooks or Parquet files.";
  return issueError("validation_failed", { field: "uploadId", id: uploadId, code: "not_csv", message });
}
