import type { InputFeature } from "#lib/contract/models";
import type { CategoryColumn, Column } from "#lib/contract/table";
import { shorten } from "./issues.ts";
import { LISTED_CATEGORIES_MAX } from "./profile.ts";
import { timeText } from "./timestamps.ts";

/** Range or categories of a feature in the training rows. */
export type TrainedOn = Pick<InputFeature, "name" | "type" | "role"> &
  Partial<Pick<InputFeature, "min" | "max">> & { categories?: readonly string[] | null };

/** A warning about a feature's values that does not prevent their use. */
export type OutsideWarning = {
  code: "outside_range" | "unseen_category";
  column: string;
  message: string;
  rows: number;
  /** Counts from 1. */
  firstRow: number;
  range?: NonNullable<Outside["range"]>;
};

/** Rows of a feature outside the training data's range. */
export type Outside = {
  feature: string;
  rows: number;
  /** Counts from 1. */
  firstRow: number;
  /** Range of all values, and of the training rows; dates in epoch milliseconds. Null for categories. */
  range: { least: number; greatest: number; trainedMin: number; trainedMax: number } | null;
  /** Categories that are absent from the training rows. */
  unseen: string[] | null;
};

/**
 * Tests rows for values outside the training range and for unseen categories. Missing values never count, and neither does the
 * time of the row, because forecasts are about later times.
 *
 * @returns a test for a row (from 0), or null if the feature has no known range or no value can be outside of it
 */
export function outsideTest(column: Column, trained: TrainedOn): ((row: number) => boolean) | null {
  if (column.type === "category") return unseenTest(column, trained);
  if (!hasRange(trained)) return null;
  const { min, max } = trained;
  return (row) => isBeyond(column.values[row]!, min, max);
}

function unseenTest({ categories: present, codes }: CategoryColumn, { role, categories }: TrainedOn) {
  if (role === "timestamp" || categories == null) return null;
  // Of more categories, only the most frequent are stored, so unseen ones cannot be determined.
  if (categories.length === 0 || categories.length >= LISTED_CATEGORIES_MAX) return null;
  const seen = new Set(categories);
  const isUnseen = present.map((category) => !seen.has(category));
  return (row: number) => isUnseen[codes[row]!] === true;
}

/** Returns whether the feature's values can be outside the training range. */
const hasRange = (trained: TrainedOn): trained is TrainedOn & { min: number; max: number } =>
  trained.role !== "timestamp" && trained.min != null && trained.max != null;

const isBeyond = (value: number, min: number, max: number) => value < min || value > max;

/** Returns the out-of-range values of a column, or null. */
export function outsideTraining(column: Column, trained: TrainedOn): Outside | null {
  const tally = new OutsideTally(trained);
  tally.add(column);
  return tally.outside;
}

/** Collects the out-of-range values of a column that arrives in parts. */
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

  /** Adds the next rows. */
  add(column: Column): void {
    const before = this.#rowCount;
    this.#rowCount += lengthOf(column);
    if (column.type === "category") this.#addCategories(column, before);
    else if (hasRange(this.#trained)) this.#addValues(column.values, this.#trained, before);
  }

  /** Number of rows outside so far. */
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

  /** The finding as a warning: the values, the number of rows and the first row. Null if all values are inside. */
  get warning(): OutsideWarning | null {
    return this.outside === null ? null : toWarning(this.outside, this.#rowCount, this.#trained);
  }

  #addCategories(column: CategoryColumn, before: number): void {
    const isUnseen = unseenTest(column, this.#trained);
    if (isUnseen === null) return;
    this.#isCategory = true;
    const { codes, categories } = column;
    const counted = this.#rows;
    for (let row = 0; row < codes.length; row++) if (isUnseen(row)) this.#count(before + row);
    if (this.#rows === counted) return;
    const present = new Set(codes);
    const seen = new Set(this.#trained.categories);
    categories.forEach((category, code) => {
      if (present.has(code) && !seen.has(category)) this.#unseen.add(category);
    });
  }

  /** Checks millions of values in a loop without calls. Repeats the loop if a value is outside. */
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

  /** @param row counts from 0 */
  #count(row: number): void {
    if (this.#rows++ === 0) this.#firstRow = row + 1;
  }
}

/** Returns a warning that names the values, the number of rows and the first row. Null if all values are inside. */
export function outsideWarning(column: Column, trained: TrainedOn): OutsideWarning | null {
  const tally = new OutsideTally(trained);
  tally.add(column);
  return tally.warning;
}

function toWarning(outside: Outside, rowCount: number, trained: TrainedOn): OutsideWarning {
  const { rows, firstRow, range, unseen } = outside;
  const name = shorten(trained.name);
  const where =
    rows === 1
      ? `row ${firstRow}`
      : `${formatCount(rows)} of ${formatCount(rowCount)} rows, first in row ${firstRow}`;
  const found = { column: trained.name, rows, firstRow };
  if (range === null) {
    const named = unseen!.slice(0, 5).map((value) => `"${shorten(value)}"`);
    const more = unseen!.length > 5 ? ` and ${formatCount(unseen!.length - 5)} more` : "";
    const message = `Column "${name}": the model was not trained on ${named.join(", ")}${more} (${where}).`;
    return { code: "unseen_category", message, ...found };
  }
  const { least, greatest, trainedMin, trainedMax } = range;
  if (trained.type === "boolean") {
    const [is, was] = trainedMax === 0 ? ["true", "false"] : ["false", "true"];
    const message = `Column "${name}" is ${is} (${where}). In the training rows it was always ${was}.`;
    return { code: "outside_range", message, range, ...found };
  }
  const isDate = trained.type === "timestamp";
  const text = isDate ? timeText : shortNumber;
  const reaches = [
    ...(least < trainedMin ? [`down to ${text(least)}`] : []),
    ...(greatest > trainedMax ? [`up to ${text(greatest)}`] : []),
  ].join(" and ");
  const message = `Column "${name}" goes ${reaches} (${where}), outside the training range of ${text(trainedMin)} to ${text(trainedMax)}.`;
  return { code: "outside_range", message, ...(!isDate && { range }), ...found };
}

const lengthOf = (column: Column) =>
  column.type === "category" ? column.codes.length : column.values.length;

const formatCount = (count: number) => count.toLocaleString("en");

/** Returns a number with six significant digits. */
function shortNumber(value: number): string {
  return String(Number(value.toPrecision(6)));
}
