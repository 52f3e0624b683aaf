import { limits } from "#lib/contract/limits";
import type { PredictionColumns } from "#lib/contract/prediction-columns";
import type { Table } from "#lib/contract/table";
import type { Warning } from "#lib/contract/warnings";
import { inputIssuesError } from "#lib/domain/datasets/csv-error";
import type { LinkedSeries } from "#lib/domain/models/linked/linked-series";
import { knownLevels } from "#lib/domain/models/linked/series-levels";
import { rethrowRejection } from "#lib/domain/models/model-rejection";
import type { OpenModel } from "#lib/domain/models/open-model";
import { type Issue, IssueList } from "#lib/engine/csv/issues";
import type { InputCheck, InputWarning } from "#lib/engine/inference/check-input";
import type { InputFeature } from "#lib/engine/inference/input-features";
import { fillLevels } from "#lib/engine/panel/fill-levels";
import { dropColumns } from "#lib/engine/table/columns";
import { issueError } from "#lib/platform/errors/domain-error";
import { inputTable } from "./input-table.ts";

/**
 * Reads the prediction input, adds missing levels of known series and missing upstream features, and validates the table.
 *
 * @param series null for a model without upstream features that looks back at no rows
 * @returns the validated input, and warnings that the model's own prediction does not repeat
 * @throws {DomainError} input_invalid with every issue
 */
export async function completeInput(
  model: OpenModel,
  input: PredictionColumns,
  { projectId, series }: { projectId: string; series: LinkedSeries | null },
): Promise<{ checked: InputCheck; warnings: Warning[] }> {
  const names = Object.keys(input);
  const features =
    series === null || model.upstream.length === 0
      ? model.inputFeatures
      : await series.readableFeatures(model, new Set(names));
  const read = inputTable(input, features, model.inputFormat);
  checkRowCount(read.table.rowCount, names.length);
  const levels = series && (await knownLevels(series, projectId));
  const table = levels === null ? read.table : fillLevels(read.table, levels);
  // Each unreadable value is reported once. Upstream models predict only readable input.
  const readable = read.issues.count === 0;
  const completed =
    series !== null && readable
      ? await series.addUpstream(projectId, table, { prefer: "rows only" }).catch(rethrowRejection("input"))
      : { table: dropColumns(read.table, read.faulty), absent: [], warnings: [] };
  const check = model.checkInput(dropUpstreamInputs(completed.table, model, features));
  const isReported = ({ column, code }: Issue) =>
    code === "missing_column" &&
    column !== null &&
    (read.faulty.has(column) || (!readable && isUpstream(model, column)));
  if (!readable || check.issueCount > 0) {
    const reasons = new Map(completed.absent.map(({ feature, reason }) => [feature, reason]));
    const found = check.issues
      .filter((issue) => !isReported(issue))
      .map((issue) => withReason(issue, reasons));
    const issues = new IssueList(names);
    issues.addAll(read.issues);
    issues.addAll({ issues: found, count: check.issueCount - (check.issues.length - found.length) });
    const details = issues.issues.map((issue) => ({ field: "input", ...issue }));
    throw inputIssuesError("The input", details, issues.count);
  }
  if (check.warnings.length === 0) return { checked: check, warnings: completed.warnings };
  const isUnknown = ({ code }: InputWarning) => code === "unknown_column";
  // The model's prediction reports the other warnings of the check.
  const checked = { ...check, warnings: check.warnings.filter((warning) => !isUnknown(warning)) };
  return { checked, warnings: [...completed.warnings, ...check.warnings.filter(isUnknown)] };
}

/** Drops the columns that only upstream models read. */
function dropUpstreamInputs(
  table: Table,
  { inputFeatures }: OpenModel,
  features: readonly InputFeature[],
): Table {
  if (features === inputFeatures) return table;
  const own = new Set(inputFeatures.map(({ name }) => name));
  const foreign = features.map(({ name }) => name).filter((name) => !own.has(name));
  return dropColumns(table, foreign);
}

function isUpstream(model: OpenModel, name: string): boolean {
  return model.upstream.some(({ feature }) => feature === name);
}

function checkRowCount(rowCount: number, features: number): void {
  if (rowCount > limits.predictRows) {
    const message = `The input has ${rowCount} rows; one request accepts at most ${limits.predictRows}. Send several requests, or create a scenario.`;
    throw issueError("input_invalid", { field: "input", code: "too_many_rows", message });
  }
  if (rowCount === 0 && features > 0) {
    const message = "The input has no rows. Send at least one value per feature.";
    throw issueError("input_invalid", { field: "input", code: "no_rows", message });
  }
}

function withReason(issue: Issue, reasons: ReadonlyMap<string, string>): Issue {
  const reason = issue.code === "missing_column" ? reasons.get(issue.column ?? "") : undefined;
  if (reason === undefined) return issue;
  return { ...issue, message: `${issue.message} The service could not compute it: ${reason}.` };
}
