import { readValue } from "#components/scenarios/recipe.ts";
import { limits } from "#lib/contract/limits";
import type { ScenarioRows } from "#lib/contract/scenario-rows";
import type { Adjustment } from "#lib/contract/scenarios";
import type { Column, Table } from "#lib/contract/table";
import { applyAdjustments } from "#lib/engine/inference/adjust";
import { inputAdjustments } from "#lib/engine/inference/adjustments";
import type { Recipe } from "./edits.ts";

type Value = ScenarioRows["rows"][number]["input"][number];

/** A page of rows; each row has a time. */
export type GridPage = Pick<ScenarioRows, "columns" | "rows">;

/** A value for one input at one row of a page. */
export type Cell = { row: number; feature: string; value: Adjustment["value"] };

/** Returns the inputs of a page after the steps of a recipe, row by row. Returns the saved inputs if a step is invalid. */
export function editedInputs({ columns, rows }: GridPage, recipe: Recipe): Value[][] {
  const saved = rows.map(({ input }) => input);
  const table: Table = {
    rowCount: rows.length,
    columns: columns.map(({ name, type }, at) =>
      columnOf(
        name,
        type,
        saved.map((input) => input[at]!),
      ),
    ),
  };
  const timestamp = columns.find(({ type }) => type === "timestamp")?.name ?? null;
  const adjusted = applyAdjustments(table, inputAdjustments(recipe), timestamp);
  if (!adjusted.ok) return saved;
  return saved.map((input, row) =>
    input.map((value, at) => valueAt(adjusted.table.columns[at]!, row, value)),
  );
}

function columnOf(name: string, type: Column["type"], values: readonly Value[]): Column {
  if (type === "category") {
    const categories = [...new Set(values.flatMap((value) => value ?? []))].map(String);
    const codes = Int32Array.from(values, (value) =>
      value === null ? -1 : categories.indexOf(String(value)),
    );
    return { name, type, codes, categories };
  }
  const numberOf = (value: Value) =>
    value === null ? Number.NaN : type === "timestamp" ? Date.parse(String(value)) : Number(value);
  return { name, type, values: Float64Array.from(values, numberOf) };
}

function valueAt(column: Column, row: number, saved: Value): Value {
  if (column.type === "category") return column.categories[column.codes[row]!] ?? null;
  if (column.type === "timestamp") return saved;
  const value = column.values[row]!;
  if (Number.isNaN(value)) return null;
  return column.type === "boolean" ? value === 1 : value;
}

/** Splits text copied from a spreadsheet into rows and cells. */
export function pastedCells(text: string): string[][] {
  const lines = text.replaceAll("\r\n", "\n").replace(/\n$/, "").split("\n");
  return lines.map((line) => line.split("\t"));
}

/** Writes the rows of a page for a spreadsheet, with a header. */
export function copiedText({ columns, rows }: GridPage, inputs: readonly Value[][]): string {
  const lines = inputs.map((input, row) => [rows[row]!.timestamp, ...input.map((value) => value ?? "")]);
  const names = columns.map(({ name }) => name);
  // The row's time stands first. The column of times would repeat it.
  const isShown = (_: unknown, at: number) => at === 0 || columns[at - 1]!.type !== "timestamp";
  return [["time", ...names], ...lines].map((line) => line.filter(isShown).join("\t")).join("\n");
}

/**
 * Reads cells from texts that start at a row and a column of a page. Empty texts, and texts beyond the page, are left out.
 *
 * @param features inputs of the page's columns from the first changed one
 * @returns the cells, or a message about the first invalid text
 */
export function readCells(
  texts: readonly (readonly string[])[],
  { columns, rows }: GridPage,
  firstRow: number,
  features: readonly string[],
): { cells: Cell[]; error: string | null } {
  const cells: Cell[] = [];
  for (const [down, line] of texts.entries()) {
    const row = firstRow + down;
    if (row >= rows.length) break;
    for (const [right, feature] of features.slice(0, line.length).entries()) {
      const text = line[right]!.trim();
      if (text === "") continue;
      const type = columns.find(({ name }) => name === feature)!.type;
      const wrong = wrongText(text, type);
      if (wrong) return { cells: [], error: `${feature}, row ${rows[row]!.row}: ${wrong}` };
      cells.push({
        row,
        feature,
        value: readValue(type === "boolean" ? text.toLowerCase() : text, { type }),
      });
    }
  }
  return { cells, error: null };
}

function wrongText(text: string, type: Column["type"]): string | null {
  if (type === "number" && !Number.isFinite(Number(text))) return `“${text}” is not a number such as 1234.5.`;
  if (type === "boolean" && !/^(?:true|false|0|1)$/i.test(text))
    return `“${text}” is neither true nor false.`;
  return null;
}

/**
 * Returns the recipe that sets cells of a page. The steps come last, so that a cell has the value that was entered. Equal
 * values in successive rows become one step.
 *
 * @returns null if the recipe would have more steps than a scenario takes
 */
export function withCells(recipe: Recipe, cells: readonly Cell[], { rows }: GridPage): Recipe | null {
  const steps: (Adjustment & { last: number })[] = [];
  for (const { row, feature, value } of cells.toSorted((a, b) => a.row - b.row)) {
    const time = rows[row]!.timestamp!;
    const run = steps.findLast((step) => step.feature === feature);
    if (run?.last === row - 1 && run.value === value) Object.assign(run, { to: time, last: row });
    else steps.push({ feature, operation: "set", value, from: time, to: time, last: row });
  }
  const replaced = (one: Adjustment) =>
    steps.some(
      ({ feature, from, to }) =>
        one.feature === feature &&
        one.operation === "set" &&
        !one.where &&
        one.from === from &&
        one.to === to,
    );
  const all = [...recipe.filter((one) => !replaced(one)), ...steps.map(({ last: _, ...step }) => step)];
  return all.length > limits.adjustmentsMax ? null : all;
}
