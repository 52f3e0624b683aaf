import type { CategoryColumn, Column, ColumnType, NumericColumn } from "#lib/contract/table";
import { shortNumber } from "#lib/csv/short-number";
import { shorten } from "./issues.ts";

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
export function outsideTest(column: Column, trained: TrainedOn): ((row: number) => boolean) | null {
  if (column.type === "category") return unseenTest(column, trained);
  if (!hasRange(column, trained)) return null;
  const { min, max } = trained;
  return (row) => isBeyond(column.values[row]!, min, max);
}

function unseenTest({ categories: present, codes }: CategoryColumn, { role, categories }: TrainedOn) {
  if (role === "timestamp" || categories == null) return null;
  if (categories.length === 0 || categories.length >= describedCategoriesMax) return null;
  const seen = new Set(categories);
  const isUnseen = present.map((category) => !seen.has(category));
  return (row: number) => isUnseen[codes[row]!] === true;
}

/** Whether there is a range that the column's values could be outside of. */
function hasRange(
  column: NumericColumn,
  trained: TrainedOn,
): trained is TrainedOn & { min: number; max: number } {
  if (trained.role === "timestamp" || column.type === "timestamp") return false;
  return trained.min != null && trained.max != null;
}

const isBeyond = (value: number, min: number, max: number) => value < min || value > max;

function isAnyOutside(column: Column, trained: TrainedOn): boolean {
  if (column.type !== "category")
    return hasRange(column, trained) && isAnyBeyond(column.values, trained.min, trained.max);
  const isUnseen = unseenTest(column, trained);
  if (isUnseen === null) return false;
  for (let row = 0; row < column.codes.length; row++) if (isUnseen(row)) return true;
  return false;
}

/** Rather than by the test for a row, which for 1,000 of them takes three times as long. */
function isAnyBeyond(values: Float64Array, min: number, max: number): boolean {
  for (let row = 0; row < values.length; row++) if (isBeyond(values[row]!, min, max)) return true;
  return false;
}

/** What is outside in a column; null where nothing is. */
export function outsideTraining(column: Column, trained: TrainedOn): Outside | null {
  const tally = new OutsideTally(trained);
  tally.add(column);
  return tally.outside;
}

/** What is outside in a column that comes in parts. */
export class OutsideTally {
  readonly #trained: TrainedOn;
  #rowCount = 0;
  #rows = 0;
  #firstRow = 0;
  #least = Number.POSITIVE_INFINITY;
  #greatest = Number.NEGATIVE_INFINITY;
  readonly #unseen = new Set<string>();
  #isCategory = false;

  constructor(trained: TrainedOn) {
    this.#trained = trained;
  }

  /** Adds the rows that follow. */
  add(column: Column): void {
    const before = this.#rowCount;
    this.#rowCount += lengthOf(column);
    if (column.type === "category") this.#addCategories(column, before);
    else if (hasRange(column, this.#trained)) this.#addValues(column.values, this.#trained, before);
  }

  /** How many are outside so far. */
  get rows(): number {
    return this.#rows;
  }

  get outside(): Outside | null {
    if (this.#rows === 0) return null;
    const { name: feature, min, max } = this.#trained;
    const found = { feature, rows: this.#rows, firstRow: this.#firstRow };
    if (this.#isCategory) return { ...found, range: null, unseen: [...this.#unseen] };
    const range = { least: this.#least, greatest: this.#greatest, trainedMin: min!, trainedMax: max! };
    return { ...found, range, unseen: null };
  }

  /** The same in words: which values, in how many rows, and where the first one stands; null where nothing is. */
  get warning(): OutsideWarning | null {
    return this.outside === null ? null : inWords(this.outside, this.#rowCount, this.#trained);
  }

  #addCategories(column: CategoryColumn, before: number): void {
    const isUnseen = unseenTest(column, this.#trained);
    if (isUnseen === null) return;
    this.#isCategory = true;
    const { codes, categories } = column;
    for (let row = 0; row < codes.length; row++) if (isUnseen(row)) this.#count(before + row);
    const present = new Set(codes);
    const seen = new Set(this.#trained.categories);
    categories.forEach((category, code) => {
      if (present.has(code) && !seen.has(category)) this.#unseen.add(category);
    });
  }

  /** Of millions of values: looked at in a loop that calls nothing, and once more where one is outside. */
  #addValues(values: Float64Array, { min, max }: { min: number; max: number }, before: number): void {
    let least = this.#least;
    let greatest = this.#greatest;
    for (let row = 0; row < values.length; row++) {
      const value = values[row]!;
      if (value < least) least = value;
      if (value > greatest) greatest = value;
    }
    if (isBeyond(least, min, max) || isBeyond(greatest, min, max))
      for (let row = 0; row < values.length; row++)
        if (isBeyond(values[row]!, min, max)) this.#count(before + row);
    this.#least = least;
    this.#greatest = greatest;
  }

  /** @param row from 0 */
  #count(row: number): void {
    if (this.#rows++ === 0) this.#firstRow = row + 1;
  }
}

/** The same in words: which values, in how many rows, and where the first one stands. */
export function outsideWarning(column: Column, trained: TrainedOn): OutsideWarning | null {
  if (!isAnyOutside(column, trained)) return null;
  const tally = new OutsideTally(trained);
  tally.add(column);
  return tally.warning;
}

function inWords(outside: Outside, rowCount: number, trained: TrainedOn): OutsideWarning {
  const { rows, firstRow, range, unseen } = outside;
  const name = shorten(trained.name);
  const where =
    rows === 1 ? `row ${firstRow}` : `${told(rows)} of ${told(rowCount)} rows, the first is row ${firstRow}`;
  const found = { column: trained.name, rows, firstRow };
  if (range === null) {
    const named = unseen!.slice(0, 5).map((value) => `"${shorten(value)}"`);
    const more = unseen!.length > 5 ? ` and ${told(unseen!.length - 5)} more` : "";
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

const told = (count: number) => count.toLocaleString("en");
