import { counted } from "#lib/contract/counted";
import { nearestName } from "#lib/engine/csv/nearest-name";
import {
  type AdjustmentFault,
  type AdjustmentValue,
  categoryOf,
  type InputAdjustment,
  numberOf,
  type TypedName,
} from "./adjustments.ts";

/** What of an adjustment does not fit these columns. */
export function checkAdjustment(
  columns: readonly TypedName[],
  { feature, operation, value, from, to, where = [] }: InputAdjustment,
  timestamp: string | null,
  adjustment: number,
): AdjustmentFault[] {
  const fault = (code: AdjustmentFault["code"], message: string) => ({ adjustment, code, message });
  const unknown = (name: string) => {
    const nearest = nearestName(
      name,
      columns.map((column) => column.name),
    );
    const hint = nearest === null ? "" : ` Did you mean "${nearest}"?`;
    return fault("unknown_feature", `There is no feature "${name}".${hint}`);
  };
  const faults: AdjustmentFault[] = [];
  const column = columns.find(({ name }) => name === feature);
  if (!column) faults.push(unknown(feature));
  else if (feature === timestamp) {
    faults.push(fault("wrong_type", `"${feature}" is the time of each row and cannot be adjusted.`));
  } else if (operation !== "set" && (column.type !== "number" || typeof value !== "number")) {
    faults.push(
      fault(
        "wrong_type",
        `"${operation}" needs a number and a feature that holds numbers; "${feature}" holds ${column.type} values.`,
      ),
    );
  } else if (!fits(column, value)) faults.push(wrongType(fault, column, value));
  if (from !== undefined && to !== undefined && from > to) {
    faults.push(fault("after_to", "`from` is after `to`: no row lies between them."));
  }
  if ((from !== undefined || to !== undefined) && timestamp === null) {
    faults.push(fault("no_timestamp", "The input has no timestamp, so `from` and `to` have no meaning."));
  }
  for (const condition of where) {
    const tested = columns.find(({ name }) => name === condition.feature);
    if (!tested) faults.push(unknown(condition.feature));
    else if (!fits(tested, condition.value)) faults.push(wrongType(fault, tested, condition.value));
    else if (tested.type === "category" && condition.operator !== "=" && condition.operator !== "!=") {
      faults.push(
        fault("wrong_type", `"${condition.feature}" holds categories, which have no order: use = or !=.`),
      );
    }
  }
  return faults;
}

export function notFinite(
  { feature, operation, value }: InputAdjustment,
  adjustment: number,
  rows: number,
): AdjustmentFault {
  const message = `"${operation}" ${value} makes "${feature}" larger than any number can be, in ${counted(rows, "row")}.`;
  return { adjustment, code: "not_finite", message };
}

function wrongType(
  fault: (code: AdjustmentFault["code"], message: string) => AdjustmentFault,
  column: TypedName,
  value: AdjustmentValue,
): AdjustmentFault {
  return fault(
    "wrong_type",
    `"${column.name}" holds ${column.type} values; ${JSON.stringify(value)} is none.`,
  );
}

function fits({ type }: TypedName, value: AdjustmentValue): boolean {
  return type === "category" ? categoryOf(value) !== "" : !Number.isNaN(numberOf(type, value));
}
