import type { Table } from "#lib/contract/table";
import { numericValues, requireColumn } from "#lib/engine/table/columns";
import { filled, indicators, type Output } from "./output.ts";
import type { Step } from "./pipeline.ts";

/** Replacements for missing values, by feature. */
export type Fills = ReadonlyMap<string, number | null>;

/** Larger numbers are infinite to the runtime. */
const FLOAT32_MAX = 3.4e38;

export function numberOutput(
  table: Table,
  feature: string,
  {
    scale = 1,
    center = 0,
    log,
    fill,
  }: {
    scale?: number | undefined;
    center?: number | undefined;
    log?: number | undefined;
    fill: number | null;
  },
): Output {
  const given = numericValues(table, feature);
  const source = log === undefined ? given : given.map((value) => logarithm(value, log));
  const values = new Float32Array(source.length);
  // Two loops: in a single loop with a condition, the engine boxes each number.
  for (let i = 0; i < source.length; i++) values[i] = (source[i]! - center) * scale;
  if (fill !== null) {
    const filling = ((log === undefined ? fill : logarithm(fill, log)) - center) * scale;
    for (let i = 0; i < source.length; i++) if (Number.isNaN(source[i]!)) values[i] = filling;
  }
  return { name: feature, source: feature, values };
}

/** Returns the logarithm of a value, at least that of `least`; NaN for a missing value. */
export const logarithm = (value: number, least: number) => Math.log(Math.max(value, least));

/** Returns the ratio or the difference of two inputs. A ratio over 0 is missing. */
export function combineOutput(table: Table, step: Step<"combine">, fills: Fills): Output {
  const { feature, other, operation } = step;
  const [left, right] = [feature, other].map((name) => {
    const fill = fills.get(name) ?? null;
    return numericValues(table, name).map((value) => filled(value, fill));
  });
  const values = Float32Array.from(left!, (value, row) => {
    const combined = operation === "ratio" ? value / right![row]! : value - right![row]!;
    return filled(Math.abs(combined) <= FLOAT32_MAX ? combined : Number.NaN, step.fill);
  });
  return { name: `${feature} ${operation === "ratio" ? "/" : "−"} ${other}`, source: feature, values };
}

/** Returns the category's position in the fitted order, NaN for a missing or unseen category. */
export function ordinalOutput(table: Table, { feature, categories }: Step<"ordinal">): Output {
  const values = Float32Array.from(fittedCodes(table, feature, categories), (code) =>
    code < 0 ? Number.NaN : code,
  );
  return { name: feature, source: feature, values };
}

/** Returns one 0/1 column per category. A missing or unseen category is 0 in all columns. */
export function onehotOutputs(table: Table, { feature, categories }: Step<"onehot">): Output[] {
  const columns = indicators(fittedCodes(table, feature, categories), categories.length);
  return columns.map((values, code) => ({
    name: `${feature} = ${categories[code]}`,
    source: feature,
    values,
  }));
}

/** Returns the category's mean target over all fitted rows. Only for rows that the step was not fitted on. */
export function encodeTarget(table: Table, step: Step<"targetEncoding">): Float32Array {
  const { feature, categories, unseen, fill } = step;
  const known = fittedCodes(table, feature, categories);
  const { codes } = categoryColumn(table, feature);
  return Float32Array.from(known, (code, row) => {
    if (codes[row]! < 0) return fill ?? Number.NaN;
    return code < 0 ? unseen : step.values[code]!;
  });
}

export function categoryColumn(table: Table, feature: string) {
  const column = requireColumn(table, feature);
  if (column.type !== "category") throw new RangeError(`Column "${feature}" must hold categories.`);
  return column;
}

function fittedCodes(table: Table, feature: string, categories: readonly string[]): Int32Array {
  const column = categoryColumn(table, feature);
  const position = new Map(categories.map((category, code) => [category, code]));
  const recoded = column.categories.map((category) => position.get(category) ?? -1);
  return column.codes.map((code) => (code < 0 ? -1 : recoded[code]!));
}
