import type { Column, ColumnType } from "#lib/contract/table";
import { shorten } from "./faults.ts";
import { shortNumber } from "./short-number.ts";

/** What the training rows were like, of one feature. */
export type TrainedOn = {
  name: string;
  type: ColumnType;
  role: "input" | "upstream" | "timestamp";
  min?: number | null;
  max?: number | null;
  categories?: readonly string[] | null;
};

/** More categories than this are described by the commonest: which others there were is not known any more. */
export const describedCategoriesMax = 1_000;

/** Something to know of a feature's values, that does not stop them from being used. */
export type OutsideWarning = {
  code: "outside_range" | "unseen_category";
  column: string;
  message: string;
  rows: number;
  /** From 1. */
  firstRow: number;
  range?: NonNullable<Outside["range"]>;
};

/** Rows of a feature that are outside of what a model was trained on. */
export type Outside = {
  feature: string;
  rows: number;
  /** From 1. */
  firstRow: number;
  /** Least and greatest of all values, beside those of the training rows; null for categories. */
  range: { least: number; greatest: number; trainedMin: number; trainedMax: number } | null;
  /** Values that were not there in training, of categories. */
  unseen: string[] | null;
};

/**
 * Marks the rows whose value is outside the range of the training rows, or a category that these did not have. A
 * missing value is none, and a time beyond the training rows is what a forecast is about.
 *
 * @returns a test for a row (from 0); null where nothing is known of the feature, or nothing to be outside of
 */
export function outsideTest(
  column: Column,
  { role, min, max, categories }: TrainedOn,
): ((row: number) => boolean) | null {
  if (role === "timestamp" || column.type === "timestamp") return null;
  if (column.type === "category") {
    if (categories == null || categories.length === 0 || categories.length >= describedCategoriesMax)
      return null;
    const seen = new Set(categories);
    const isUnseen = column.categories.map((category) => !seen.has(category));
    return (row) => isUnseen[column.codes[row]!] === true;
  }
  if (min == null || max == null) return null;
  return (row) => column.values[row]! < min || column.values[row]! > max;
}

/** What is outside in a column; null where nothing is. */
export function outsideTraining(column: Column, trained: TrainedOn): Outside | null {
  const isOutside = outsideTest(column, trained);
  if (isOutside === null) return null;
  let rows = 0;
  let firstRow = 0;
  const count = column.type === "category" ? column.codes.length : column.values.length;
  for (let row = 0; row < count; row++) {
    if (!isOutside(row)) continue;
    if (rows++ === 0) firstRow = row + 1;
  }
  if (rows === 0) return null;
  const outside = { feature: trained.name, rows, firstRow };
  if (column.type !== "category") {
    const range = { ...extremes(column.values), trainedMin: trained.min!, trainedMax: trained.max! };
    return { ...outside, range, unseen: null };
  }
  const present = new Set(column.codes);
  const seen = new Set(trained.categories);
  const unseen = column.categories.filter((category, code) => present.has(code) && !seen.has(category));
  return { ...outside, range: null, unseen };
}

/** The same in words: which values, in how many rows, and where the first one stands. */
export function outsideWarning(column: Column, trained: TrainedOn): OutsideWarning | null {
  const outside = outsideTraining(column, trained);
  if (outside === null) return null;
  const { rows, firstRow, range, unseen } = outside;
  const name = shorten(trained.name);
  const where =
    rows === 1 ? `row ${firstRow}` : `${rows} of ${lengthOf(column)} rows, the first is row ${firstRow}`;
  const found = { column: trained.name, rows, firstRow };
  if (range === null) {
    const named = unseen!.slice(0, 5).map((value) => `"${shorten(value)}"`);
    const more = unseen!.length > 5 ? ` and ${unseen!.length - 5} more` : "";
    const message = `Column "${name}": the model was not trained on ${named.join(", ")}${more} (${where}).`;
    return { code: "unseen_category", message, ...found };
  }
  const { least, greatest, trainedMin, trainedMax } = range;
  if (trained.type === "boolean") {
    const [is, was] = trainedMax === 0 ? ["true", "false"] : ["false", "true"];
    const message = `Column "${name}" is ${is} (${where}), and was always ${was} in the rows that the model was trained on.`;
    return { code: "outside_range", message, range, ...found };
  }
  const reaches = [
    ...(least < trainedMin ? [`down to ${shortNumber(least)}`] : []),
    ...(greatest > trainedMax ? [`up to ${shortNumber(greatest)}`] : []),
  ].join(" and ");
  const message = `Column "${name}" goes ${reaches} (${where}), outside ${shortNumber(trainedMin)} to ${shortNumber(trainedMax)}, the range that the model was trained on.`;
  return { code: "outside_range", message, range, ...found };
}

const lengthOf = (column: Column) =>
  column.type === "category" ? column.codes.length : column.values.length;

function extremes(values: Float64Array): { least: number; greatest: number } {
  let least = Number.POSITIVE_INFINITY;
  let greatest = Number.NEGATIVE_INFINITY;
  for (const value of values) {
    if (value < least) least = value;
    if (value > greatest) greatest = value;
  }
  return { least, greatest };
}
