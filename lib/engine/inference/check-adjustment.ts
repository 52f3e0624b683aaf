import { counted } from "#lib/contract/counted";
import { nearestName } from "#lib/engine/names/nearest-name";
import {
  type AdjustmentIssue,
  type AdjustmentValue,
  categoryOf,
  type InputAdjustment,
  numberOf,
  type TypedName,
} from "./adjustments.ts";

/** Returns the issues of an adjustment with respect to these columns. */
export function checkAdjustment(
  columns: readonly TypedName[],
  { feature, operation, value, from, to, where = [] }: InputAdjustment,
  timestamp: string | null,
  adjustment: number,
): AdjustmentIssue[] {
  const issue = (code: AdjustmentIssue["code"], message: string) => ({ adjustment, code, message });
  const unknown = (name: string) => {
    const nearest = nearestName(
      name,
      columns.map((column) => column.name),
    );
    const hint = nearest === null ? "" : ` Did you mean "${nearest}"?`;
    return issue("unknown_feature", `There is no feature "${name}".${hint}`);
  };
  const issues: AdjustmentIssue[] = [];
  const column = columns.find(({ name }) => name === feature);
  if (!column) issues.push(unknown(feature));
  else if (feature === timestamp) {
    issues.push(issue("wrong_type", `"${feature}" is the timestamp column and cannot be adjusted.`));
  } else if (operation !== "set" && column.type !== "number") {
    const message = `"${operation}" needs a numeric feature, but "${feature}" holds ${column.type} values.`;
    issues.push(issue("wrong_type", message));
  } else if (!fits(column, value)) issues.push(wrongType(issue, column, value));
  if (from !== undefined && to !== undefined && from > to) {
    issues.push(issue("after_to", "`from` must not be after `to`."));
  }
  if ((from !== undefined || to !== undefined) && timestamp === null) {
    issues.push(issue("no_timestamp", "The input has no timestamp. Remove `from` and `to`."));
  }
  for (const condition of where) {
    const tested = columns.find(({ name }) => name === condition.feature);
    if (!tested) issues.push(unknown(condition.feature));
    else if (!fits(tested, condition.value)) issues.push(wrongType(issue, tested, condition.value));
    else if (tested.type === "category" && condition.operator !== "=" && condition.operator !== "!=") {
      issues.push(
        issue("wrong_type", `"${condition.feature}" holds categories, which have no order. Use = or !=.`),
      );
    }
  }
  return issues;
}

export function notFinite(
  { feature, operation, value }: InputAdjustment,
  adjustment: number,
  rows: number,
): AdjustmentIssue {
  const message = `"${operation}" ${value} makes "${feature}" exceed the largest possible number in ${counted(rows, "row")}. Use a smaller value.`;
  return { adjustment, code: "not_finite", message };
}

function wrongType(
  issue: (code: AdjustmentIssue["code"], message: string) => AdjustmentIssue,
  column: TypedName,
  value: AdjustmentValue,
): AdjustmentIssue {
  return issue(
    "wrong_type",
    `"${column.name}" holds ${column.type} values; ${JSON.stringify(value)} is not a valid ${column.type}.`,
  );
}

function fits({ type }: TypedName, value: AdjustmentValue): boolean {
  return type === "category" ? categoryOf(value) !== "" : !Number.isNaN(numberOf(type, value));
}
