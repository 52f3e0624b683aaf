import { type RowsToJoin, whyBeforeSteps } from "#lib/domain/models/linked/first-steps";
import { whyOutOfReach } from "#lib/domain/models/linked/known-rows";
import type { LinkedProject } from "#lib/domain/models/linked/linked-models";
import type { LinkedSeries } from "#lib/domain/models/linked/linked-series";
import { unreadableInputs } from "#lib/domain/models/linked/unreadable-inputs";
import type { OpenModel } from "#lib/domain/models/open-model";
import { withColumn } from "#lib/engine/table/columns";
import { takeRows } from "#lib/engine/table/rows";
import { type ErrorDetail, requireNoIssues } from "#lib/platform/errors/domain-error";
import { endAfter } from "./plan-generation.ts";
import { StoredInput } from "./stored-input.ts";

/** Requires that a generated input can continue the dataset's rows: they must have the model's inputs. */
export async function requireReadable(project: LinkedProject): Promise<void> {
  const issues = (await unreadableInputs(project)).map(({ name, code, why }): ErrorDetail => {
    const message = `Input cannot be generated, because ${why}. Replace the dataset, or upload a CSV.`;
    return { row: null, column: name, value: null, code, message, expected: `a column "${name}"` };
  });
  requireNoIssues("input_invalid", issues);
}

/** Data available for upstream features. */
type AvailableData = {
  /** Columns of the input. */
  given: ReadonlySet<string>;
  /** Latest time of the input; null if unknown. */
  until: number | null;
  /** All columns of a file, from whose rows upstream models can predict; null for an input without a file. */
  file: ReadonlySet<string> | null;
  /** Rows of the input; null if unknown. */
  rows: RowsToJoin | null;
};
export const nothingGiven = { given: new Set<string>(), file: null, rows: null };

/**
 * Requires that upstream models can predict from the held-out rows of a model without times. Models that earlier versions of the
 * service trained lack the columns that only upstream models read.
 */
export async function requireHeldOut(series: LinkedSeries, { model }: LinkedProject): Promise<void> {
  const upstream = model.inputFeatures.filter(({ role }) => role === "upstream");
  const predicted = new Set(upstream.map(({ name }) => name));
  const names = (model.heldOut?.columns ?? []).map(({ name }) => name).filter((name) => !predicted.has(name));
  const issues: ErrorDetail[] = [];
  for (const { name, sourceProjectId } of upstream) {
    const source = series.has(sourceProjectId) ? await series.project(sourceProjectId) : null;
    if (source !== null && (await series.carriesInputs(source.model, new Set(names), false))) continue;
    const why =
      source === null
        ? "this project no longer depends on it"
        : "the held-out rows that the model keeps lack inputs of it";
    issues.push(notComputable(name, `${why}. Train the model again, or upload a CSV with the column.`));
  }
  requireNoIssues("input_invalid", issues);
}

/** Returns the rows of a stored input, to join them by time; null for a project without times. */
export function storedRows({ facts }: LinkedProject, inputKey: string): RowsToJoin | null {
  if (facts === null) return null;
  async function* blocks() {
    yield* (await StoredInput.open(inputKey)).rows();
  }
  return { timestamp: facts.timestamp, blocks };
}

/** Returns the first row of a generated input, with the inputs of the last one that the model keeps. Null for many series. */
export function firstGeneratedRow({ model, facts }: LinkedProject): RowsToJoin | null {
  const { history, state } = model;
  const time = facts && endAfter(facts, 1);
  if (facts === null || time === null || history === null || state.series) return null;
  const { timestamp } = facts;
  const last = takeRows(history, [history.rowCount - 1]);
  const row = withColumn(last, { name: timestamp, type: "timestamp", values: Float64Array.of(time) });
  return { timestamp, blocks: () => [row] };
}

/**
 * Requires that missing upstream features can be computed. The pinned upstream model predicts from the rows of the file, or
 * from the inputs of the upstream project. Those inputs are joined by time: both projects need timestamps, and the inputs
 * must begin before the rows and reach `until`.
 */
export async function requireUpstream(
  series: LinkedSeries,
  project: LinkedProject,
  available: AvailableData,
): Promise<void> {
  requireNoIssues("input_invalid", await upstreamIssues(series, project, available));
}

async function upstreamIssues(
  series: LinkedSeries,
  { model, facts }: LinkedProject,
  { given, until, file, rows }: AvailableData,
): Promise<ErrorDetail[]> {
  const issues: ErrorDetail[] = [];
  for (const { name, role, missingAllowed, sourceProjectId } of model.inputFeatures) {
    if (role !== "upstream" || given.has(name)) continue;
    const source = series.has(sourceProjectId) ? await series.project(sourceProjectId) : null;
    const hasTimes = facts !== null;
    if (source && file && (await series.carriesInputs(source.model, file, hasTimes))) continue;
    const why =
      source === null
        ? "this project no longer depends on it"
        : source.facts === null || facts === null
          ? "one of the two projects has no timestamps to join by"
          : (whyWithoutSeries(model, source.model, given) ??
            (until === null ? null : whyOutOfReach(source.facts, until)) ??
            (await whyUnreadable(source)) ??
            (rows === null || missingAllowed ? null : await whyBeforeSteps(series, source, rows)));
    if (source === null || why !== null) {
      issues.push(notComputable(name, `${why}. Add the column to the CSV.`));
      continue;
    }
    issues.push(...(await upstreamIssues(series, source, { ...nothingGiven, until })));
  }
  return issues;
}

/** @param why reason and advice */
function notComputable(name: string, why: string): ErrorDetail {
  const message = `"${name}" is the prediction of an upstream project and cannot be computed, because ${why}`;
  const expected = `a column "${name}"`;
  return { row: null, column: name, value: null, code: "missing_column", message, expected };
}

/** Returns why rows cannot name their series of an upstream project; null if they can. */
function whyWithoutSeries(model: OpenModel, upstream: OpenModel, given: ReadonlySet<string>): string | null {
  const named = new Set([...given, ...model.inputFeatures.map(({ name }) => name)]);
  const absent = (upstream.state.series?.columns ?? []).filter((name) => !named.has(name));
  if (absent.length === 0) return null;
  const names = absent.map((name) => JSON.stringify(name)).join(", ");
  return `its project has many series, and this project has no column ${names} that says which one a row takes`;
}

/** Returns why an upstream model cannot read its inputs from its project's dataset; null if it can. */
async function whyUnreadable(upstream: LinkedProject): Promise<string | null> {
  const unreadable = await unreadableInputs(upstream);
  if (unreadable.length === 0) return null;
  return `in the upstream project ${unreadable.map(({ why }) => why).join(", and ")}`;
}
