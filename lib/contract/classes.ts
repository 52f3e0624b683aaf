import { counted } from "./counted.ts";

/** The two classes of a target in alphabetical order. Models predict the probability of the second one. */
export type Classes = readonly [negative: string, positive: string];

/** Classes of a boolean column. */
export const BOOLEAN_CLASSES: Classes = ["false", "true"];

/** Classes of a number column of 0 and 1, which is a target of classes only on request. */
export const NUMBER_CLASSES: Classes = ["0", "1"];

/** Values that decide whether a column has two classes. `categories` are those that occur. */
type ClassColumn = {
  type: "number" | "category" | "boolean" | "timestamp";
  categories: readonly string[] | null;
};

const alphabetical = (a: string, b: string) => {
  const [left, right] = [a.toLowerCase(), b.toLowerCase()];
  return left < right || (left === right && a < b) ? -1 : 1;
};

/** Returns the classes of a boolean column, or of a column with exactly two texts. Returns null for other columns. */
export function classesOf({ type, categories }: ClassColumn): Classes | null {
  if (type === "boolean") return BOOLEAN_CLASSES;
  if (type !== "category" || categories?.length !== 2) return null;
  return categories.toSorted(alphabetical) as unknown as Classes;
}

/** Requirement on the target of a model. */
export const TARGET_NEEDED = "must be a column of numbers or of two classes";

/**
 * Returns why no model can predict a column of texts; null if it has two classes.
 *
 * @param count number of texts in the column
 * @param isLeast whether there may be more texts
 */
export function textsIssue(target: string, count: number, isLeast = false): string | null {
  if (count === 2) return null;
  const way = " Create one project for each class. Its target is true in the rows of that class.";
  const classes = `its column holds texts of ${isLeast ? "at least " : ""}${counted(count, "class", "classes")}`;
  return `The target "${target}" ${TARGET_NEEDED}; ${classes}.${count > 2 ? way : ""}`;
}

/** Checks by its histogram whether a column holds only the whole numbers 0 and 1, which can be classes. */
export function mayBeClasses({
  type,
  min,
  max,
  histogram,
}: Pick<ClassColumn, "type"> & {
  min: number | null;
  max: number | null;
  histogram: readonly number[] | null;
}) {
  return type === "number" && min === 0 && max === 1 && histogram?.length === 2;
}
