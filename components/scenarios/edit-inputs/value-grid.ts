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

/** A value for one input at one row of a page; null: the saved value. */
export type Cell = { row: number; feature: string; value: Adjustment["value"] | null };

/** Name of an added column with the time of each row, which the steps read. No column has this name. */
const ROW_TIME = "\0time";

/** Returns the inputs of a page after the steps of a recipe, row by row. Returns the saved inputs if a step is invalid. */
export function editedInputs({ columns, rows }: GridPage, recipe: Recipe): Value[][] {
  const saved = rows.map(({ input }) => input);
  const valuesAt = (at: number) => saved.map((input) => input[at]!);
  const inputs = columns.map(({ name, type }, at) => columnOf(name, type, valuesAt(at)));
  const times = rows.map(({ timestamp }) => timestamp);
  const table: Table = {
    rowCount: rows.length,
    columns: [...inputs, columnOf(ROW_TIME, "timestamp", times)],
  };
  const adjusted = applyAdjustments(table, inputAdjustments(recipe), ROW_TIME);
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
  for (const [down, line] of texts.slice(0, rows.length - firstRow).entries()) {
    for (const [right, feature] of features.slice(0, line.length).entries()) {
      const text = line[right]!.trim();
      if (text === "") continue;
      const type = columns.find(({ name }) => name === feature)!.type;
      const error = wrongText(text, type);
      if (error) return { cells: [], error };
      const value = readValue(type === "boolean" ? text.toLowerCase() : text, { type });
      cells.push({ row: firstRow + down, feature, value });
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
 * Returns the recipe that sets cells of a page, each by a step for its time. A step stays at its place, or moves to the end
 * if a later step changes the same input, so that the cell has the value that was entered.
 *
 * @returns the same recipe if no cell changes it; null if it would have more steps than a scenario takes
 */
export function withCells(recipe: Recipe, cells: readonly Cell[], { rows }: GridPage): Recipe | null {
  let steps = recipe;
  for (const { row, feature, value } of cells) {
    const time = rows[row]!.timestamp!;
    const isOfCell = ({ operation, from, to, where, ...one }: Adjustment) =>
      one.feature === feature && operation === "set" && from === time && to === time && !where;
    const place = steps.findIndex(isOfCell);
    const isLast = steps.findLastIndex((one) => one.feature === feature) === place;
    if (value === null && place < 0) continue;
    if (value !== null && place >= 0 && isLast) steps = steps.with(place, { ...steps[place]!, value });
    else {
      const others = steps.filter((one) => !isOfCell(one));
      steps =
        value === null ? others : [...others, { feature, operation: "set", value, from: time, to: time }];
    }
  }
  return steps.length > limits.adjustmentsMax ? null : steps;
}
