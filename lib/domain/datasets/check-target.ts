import { TARGET_NEEDED, textsIssue } from "#lib/contract/classes";
import type { CategoryColumn, Table } from "#lib/contract/table";
import { mixedTextsIssue } from "#lib/engine/csv/mixed-texts";
import { usedCategories } from "#lib/engine/table/class-values";
import { findColumn } from "#lib/engine/table/columns";
import { DomainError } from "#lib/platform/errors/domain-error";

/** @throws {DomainError} input_invalid for a target that has neither numbers nor two classes */
export function checkTarget(table: Table, target: string): void {
  const column = findColumn(table, target);
  if (column?.type === "category") {
    checkTexts(column);
    return;
  }
  if (column?.type !== "number" && column?.type !== "boolean") {
    const found = `${column?.type ?? "no"} values`;
    throw targetError(target, `The target "${target}" ${TARGET_NEEDED}; its column holds ${found}.`);
  }
  if (column.values.every(Number.isNaN)) throw targetError(target, `The target "${target}" has no values.`);
}

function checkTexts(column: CategoryColumn): void {
  const issue =
    mixedTextsIssue(column.name, usedCategories(column)) ??
    textsIssue(column.name, usedCategories(column).length);
  if (issue !== null) throw targetError(column.name, issue);
}

function targetError(column: string, message: string): DomainError {
  const expected = "a column of numbers or of two classes";
  const issue = { row: null, column, value: null, code: "not_a_number", message, expected };
  return new DomainError("input_invalid", message, { details: [issue] });
}
