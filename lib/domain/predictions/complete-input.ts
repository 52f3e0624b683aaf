import type { Warning } from "#lib/contract/datasets";
import { limits } from "#lib/contract/limits";
import type { PredictionColumns } from "#lib/contract/prediction-columns";
import type { Table } from "#lib/contract/table";
import { faultDetail, faultRefusal } from "#lib/datasets/csv-refusal";
import type { OpenModel } from "#lib/domain/models/open-model";
import { readableFeatures } from "#lib/domain/models/readable-features";
import { addUpstreamFeatures, type UpstreamModels } from "#lib/domain/models/upstream-features";
import { type Fault, FaultList } from "#lib/engine/csv/issues";
import type { InputCheck, InputWarning } from "#lib/engine/inference/check-input";
import type { InputFeature } from "#lib/engine/inference/input-features";
import { dropColumns } from "#lib/engine/table/columns";
import { DomainError } from "#lib/platform/errors/domain-error";
import { inputTable } from "./input-table.ts";

/**
 * A table that the model can predict from: read, completed by upstream features, and checked.
 *
 * @returns the check of the table, and warnings that are not the check's
 * @throws {DomainError} input_invalid naming every fault
 */
export async function prepareInput(
  model: OpenModel,
  input: PredictionColumns,
  modelOf: UpstreamModels,
): Promise<{ checked: InputCheck; warnings: Warning[] }> {
  const names = Object.keys(input);
  const features =
    model.upstream.length === 0
      ? model.inputFeatures
      : await readableFeatures(model, modelOf, new Set(names));
  const read = inputTable(input, features, model.inputFormat);
  checkRowCount(read.table.rowCount, names.length);
  // What cannot be read is told once; upstream models are asked only about rows that can be.
  const readable = read.faults.count === 0;
  const completed = readable
    ? await addUpstreamFeatures(model, read.table, modelOf)
    : { table: dropColumns(read.table, read.faulty), absent: [], warnings: [] };
  const check = model.checkInput(withoutOthers(completed.table, model, features));
  const toldAlready = ({ column, code }: Fault) =>
    code === "missing_column" &&
    column !== null &&
    (read.faulty.has(column) || (!readable && isUpstream(model, column)));
  if (!readable || check.faultCount > 0) {
    const reasons = new Map(completed.absent.map(({ feature, reason }) => [feature, reason]));
    const found = check.faults
      .filter((fault) => !toldAlready(fault))
      .map((fault) => withReason(fault, reasons));
    const faults = new FaultList(limits.errorDetails, names);
    faults.addAll(read.faults);
    faults.addAll({ faults: found, count: check.faultCount - (check.faults.length - found.length) });
    const details = faults.faults.map((fault) => ({ field: "input", ...faultDetail(fault) }));
    throw faultRefusal("The input", details, faults.count);
  }
  if (check.warnings.length === 0) return { checked: check, warnings: completed.warnings };
  const isUnknown = ({ code }: InputWarning) => code === "unknown_column";
  // The others are told with those that the model has when it predicts.
  const checked = { ...check, warnings: check.warnings.filter((warning) => !isUnknown(warning)) };
  return { checked, warnings: [...completed.warnings, ...check.warnings.filter(isUnknown)] };
}

/** Without what only upstream models read. */
function withoutOthers(table: Table, { inputFeatures }: OpenModel, features: readonly InputFeature[]): Table {
  if (features === inputFeatures) return table;
  const own = new Set(inputFeatures.map(({ name }) => name));
  const others = features.map(({ name }) => name).filter((name) => !own.has(name));
  return dropColumns(table, others);
}

function isUpstream(model: OpenModel, name: string): boolean {
  return model.upstream.some(({ feature }) => feature === name);
}

function checkRowCount(rowCount: number, features: number): void {
  if (rowCount > limits.predictRows) {
    const message = `The input has ${rowCount} rows; one request takes ${limits.predictRows}. Send several, or create a scenario.`;
    throw new DomainError("input_invalid", message, {
      details: [{ field: "input", code: "too_many_rows", message }],
    });
  }
  if (rowCount === 0 && features > 0) {
    const message = "The input has no rows: send at least one value a feature.";
    throw new DomainError("input_invalid", message, {
      details: [{ field: "input", code: "no_rows", message }],
    });
  }
}

function withReason(fault: Fault, reasons: ReadonlyMap<string, string>): Fault {
  const reason = fault.code === "missing_column" ? reasons.get(fault.column ?? "") : undefined;
  if (reason === undefined) return fault;
  return { ...fault, message: `${fault.message} It could not be computed either: ${reason}.` };
}
