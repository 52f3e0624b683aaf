import type { Database } from "#db/client";
import type { Warning } from "#lib/contract/datasets";
import { limits } from "#lib/contract/limits";
import type { Adjustment } from "#lib/contract/scenarios";
import { csvRefusal, faultDetail, faultRefusal } from "#lib/datasets/csv-refusal";
import { openSource } from "#lib/domain/datasets/file-source";
import { readUpload } from "#lib/domain/datasets/read-upload";
import type { OpenModel } from "#lib/domain/models/open-model";
import { addAbsentColumns } from "#lib/engine/csv/check-against";
import { type Fault, FaultList } from "#lib/engine/csv/issues";
import { DomainError, type ErrorDetail } from "#lib/platform/errors/domain-error";
import { readOtherColumns, writeOtherColumns } from "#lib/scenarios/input/other-columns";
import { findScenario, requireReady } from "./find-scenario.ts";
import type { PinnedCheckpoint } from "./queries.ts";
import type { InputSource, Pins } from "./rules.ts";
import { adjustmentRefusal } from "./run/adjust-input.ts";
import { adjustStored } from "./run/adjust-stored.ts";
import type { PinnedProject } from "./run/pinned-models.ts";
import type { PinnedSeries } from "./run/pinned-series.ts";
import { planGeneration, requireReach } from "./run/plan-generation.ts";
import { type InputSummary, readInputNotes } from "./run/scenario-input.ts";

/** What the check of an input is told besides the input. */
export type InputChecking = {
  adjustments: readonly Adjustment[];
  pins: Pins;
  /** Folder for the input as it was sent. */
  storeAs: string;
  /** Aborted where nobody waits any more. */
  signal: AbortSignal | undefined;
};

/**
 * Refuses in the request whatever can be refused without predicting, and stores the input that it sends, unless the job
 * makes or reads it.
 *
 * @returns what the file gives reason to warn of
 * @throws {DomainError} validation_failed, input_invalid, upload_not_found, scenario_not_found, scenario_not_ready,
 *   payload_too_large
 * @throws {GenerationImpossible}
 */
export async function checkInput(
  db: Database,
  series: PinnedSeries,
  project: PinnedProject,
  source: InputSource,
  checking: InputChecking,
): Promise<Warning[]> {
  const { projectId } = project;
  if (source.kind === "Generated") {
    const until = planGeneration(project.model, project.facts, source.endDate);
    await requireUpstream(series, project, { ...nothingGiven, until });
    return [];
  }
  if (source.kind === "Clone") {
    await storeClone(db, series, project, source.baseScenarioId, checking);
    return [];
  }
  if (source.uploadId !== null) {
    const { profile } = await readUpload(db, { projectId, uploadId: source.uploadId });
    if (profile === null) throw notCsv(source.uploadId);
    const header = new Set(profile.header);
    checkUploadedColumns(project.model, profile);
    await requireUpstream(series, project, { given: header, until: null, file: header });
    return [];
  }
  const sent = await openSource(db, { projectId, fileData: source.fileData });
  const { check, ...input } = await series.readCsv(projectId, sent, checking);
  if (!check.valid) throw csvRefusal(check);
  const file = new Set([...input.columns, ...input.others]);
  await requireUpstream(series, project, { given: file, until: input.latest, file });
  return [...check.warnings, ...givenUpstream(project.model, input)];
}

async function storeClone(
  db: Database,
  series: PinnedSeries,
  project: PinnedProject,
  baseScenarioId: string,
  { adjustments, pins, storeAs, signal }: InputChecking,
): Promise<void> {
  const { projectId } = project;
  const field = "baseScenarioId";
  const base = await findScenario(db, { projectId, scenarioId: baseScenarioId, field });
  requireReady([base], field);
  const inputKey = base.scenario.inputKey!;
  const { computed, knownUntil } = await readInputNotes(inputKey);
  const keepsComputed = samePins(base.pinned, pins);
  const { columns, latest, unfit, check } = await adjustStored(series, project, inputKey, {
    adjustments,
    store: {
      ...{ key: storeAs, rows: "before", without: keepsComputed ? [] : computed },
      notes: { computed: keepsComputed ? computed : [], knownUntil },
    },
    signal,
  });
  if (unfit.length > 0) throw adjustmentRefusal(unfit);
  // The base's own upstream predictions stand in for the new ones: types and names are the same.
  const given = new Set(columns.filter((name) => !computed.includes(name)));
  const others = await readOtherColumns(inputKey);
  const file = others && new Set([...given, ...others.columns.map(({ name }) => name)]);
  await requireUpstream(series, project, { given, until: latest, file });
  const { faults, faultCount } = check;
  if (faultCount > 0)
    throw faultRefusal("The input of the base scenario", faults.map(faultDetail), faultCount);
  if (others !== null) await writeOtherColumns(storeAs, others);
}

/** With the same upstream checkpoints their predictions stay what they are: then only the adjustments make a difference. */
function samePins(base: readonly PinnedCheckpoint[], pins: Pins): boolean {
  return base.every(
    ({ projectId, checkpointId }) => checkpointId !== null && pins.get(projectId) === checkpointId,
  );
}

/**
 * What is there for upstream features: columns of the input, the time up to which it reaches (null: not known), and the
 * columns that a file brings, for upstream models to predict from its rows; null for an input that came as no file.
 */
type UpstreamNeeds = {
  given: ReadonlySet<string>;
  until: number | null;
  file: ReadonlySet<string> | null;
};
const nothingGiven = { given: new Set<string>(), file: null };

/**
 * Upstream features that the input lacks must be computable: from the rows of the file, or their projects are pinned,
 * have times, and their inputs can be generated as far as they are needed.
 */
async function requireUpstream(
  series: PinnedSeries,
  project: PinnedProject,
  { given, until, file }: UpstreamNeeds,
): Promise<void> {
  const details = await upstreamFaults(series, project, { given, until, file });
  if (details[0] !== undefined) throw new DomainError("input_invalid", details[0].message, { details });
}

async function upstreamFaults(
  series: PinnedSeries,
  { model, facts }: PinnedProject,
  { given, until, file }: UpstreamNeeds,
): Promise<ErrorDetail[]> {
  const faults: ErrorDetail[] = [];
  for (const { name, role, sourceProjectId } of model.inputFeatures) {
    if (role !== "upstream" || given.has(name)) continue;
    const source = series.has(sourceProjectId) ? await series.project(sourceProjectId) : null;
    if (source !== null && file !== null && (await series.carriesInputs(source.model, file))) continue;
    if (source === null || source.facts === null || facts === null) {
      const why =
        source === null
          ? "the project does not depend on the one that it comes from any more"
          : "the two projects' rows have no times to join them by";
      const message = `"${name}" is another project's prediction and cannot be computed, because ${why}. Send it in the CSV.`;
      const expected = `a column "${name}"`;
      faults.push({ row: null, column: name, value: null, code: "missing_column", message, expected });
      continue;
    }
    if (until !== null) requireReach(source.facts, until);
    faults.push(...(await upstreamFaults(series, source, { ...nothingGiven, until })));
  }
  return faults;
}

/** Contract, section 6: "columns and types are checked before the 202, single rows by the job". */
function checkUploadedColumns(
  model: OpenModel,
  profile: { header: string[]; columns: { name: string; type: string }[]; faults: Fault[] },
): void {
  const faults = uploadFaults(model, profile);
  if (faults.count > 0) throw csvRefusal({ faults: faults.faults, faultCount: faults.count });
}

export function uploadFaults(
  { inputFeatures, inputFormat }: OpenModel,
  {
    header,
    columns,
    faults,
  }: { header: string[]; columns: { name: string; type: string }[]; faults: Fault[] },
): FaultList {
  const found = new FaultList(limits.errorDetails, header);
  for (const fault of faults) found.add(fault);
  if (header.length === 0) return found;
  addAbsentColumns(header, inputFeatures, new Set(), found);
  const typeOf = new Map(columns.map(({ name, type }) => [name, type]));
  const texts = inputFormat.missing.length > 0;
  for (const { name, type } of inputFeatures) {
    const actual = typeOf.get(name);
    const expected = `a column "${name}" of type ${type}`;
    if (type === "number" && (actual === "timestamp" || (actual === "category" && !texts))) {
      // A text among numbers would have made the whole column a category: its first rows hold no numbers.
      const message = `Column "${name}" holds ${actual === "timestamp" ? "times" : "texts"}, not numbers.`;
      found.add({ row: null, column: name, value: null, code: "not_a_number", message, expected });
    } else if (type === "timestamp" && (actual === "category" || actual === "boolean")) {
      const message = `Column "${name}" holds values that are no dates or times.`;
      found.add({ row: null, column: name, value: null, code: "not_a_timestamp", message, expected });
    }
  }
  return found;
}

/** A prediction that the file brings is used in place of the pinned checkpoint's. */
export function givenUpstream(
  { inputFeatures }: OpenModel,
  { columns, rowCount }: Pick<InputSummary, "columns" | "rowCount">,
): Warning[] {
  return inputFeatures
    .filter(({ name, role }) => role === "upstream" && columns.includes(name))
    .map(({ name }) => ({
      code: "upstream_given",
      column: name,
      message: `"${name}" is another project's prediction; the values of the file are used in its place.`,
      rows: rowCount,
    }));
}

export function notCsv(uploadId: string): DomainError {
  const message = "The upload is no CSV: send it with Content-Type text/csv.";
  return new DomainError("validation_failed", message, {
    details: [{ field: "uploadId", id: uploadId, code: "not_csv", message }],
  });
}
