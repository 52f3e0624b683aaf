import { type SeededRandom, seededRandom } from "#lib/engine/learners/seeded-random";
import { firstRow } from "#lib/engine/series/window";
import type { Suspect } from "./suspect.ts";

/** Values of a column; NaN is missing. */
export type Values = { name: string; values: Float64Array };

type Sum = Extract<Suspect, { kind: "equals_target" }>;

/** A column with a sign: a term of a sum. */
type Term = { column: number; sign: 1 | -1 };
/** A term on the probe rows: the weighted sum of its values, and of their magnitudes. */
type Projected = Term & {
  value: number;
  size: number;
  /** Magnitude of the correlation with the target. */
  relation: number;
};

/** Columns among which sums of three are searched; the time grows with the square. */
const TRIPLE_COLUMNS = 150;
const PROBE_ROWS = 64;
/** Each attempt takes other probe rows, so that a few deviating rows do not hide a sum. */
const ATTEMPTS = 3;
/** Minimum number of telling rows, whose target is not its most frequent value; fewer are no evidence. */
const ROWS_FOR_PROOF = 20;
const MATCHING_SHARE = 0.99;
const FOUND_MAX = 5;
/** Relative error of decimal fractions and of sums in binary. */
const PRECISION = 1e-9;

/**
 * Finds single columns, and sums or differences of two or three, that equal the target in 99% of the rows. The share
 * must also hold without the rows where both have the target's most frequent value. Only minimal sets are returned.
 *
 * A random projection of some rows turns each column into one number, so sums are found by binary search. Every hit is
 * verified on all rows.
 */
export function findExactSums(columns: readonly Values[], target: Float64Array): Sum[] {
  const usual = mostFrequent(target);
  const telling = Array.from(target.keys()).filter((row) => isTelling(target[row]!, usual));
  if (telling.length < ROWS_FOR_PROOF) return [];
  const random = seededRandom(1);
  const sums: { columns: number[]; sum: Sum }[] = [];
  const isKnown = (chosen: readonly number[]) =>
    sums.some(({ columns }) => columns.every((column) => chosen.includes(column)));
  const verify = (terms: readonly Term[]) => {
    const chosen = terms.map(({ column }) => column);
    if (sums.length >= FOUND_MAX || isKnown(chosen)) return;
    const { telling: all, matching, ...matches } = countMatches(columns, terms, target, usual);
    if (all < ROWS_FOR_PROOF || matching < MATCHING_SHARE * all) return;
    const names = chosen.map((column) => columns[column]!.name);
    sums.push({
      columns: chosen,
      sum: { kind: "equals_target", columns: names, formula: formulaOf(terms, columns), ...matches },
    });
  };
  // All attempts look for smaller sets first: a superset of a known set is no news.
  const probes = Array.from({ length: ATTEMPTS }, () => probe(columns, target, telling, random));
  for (const { terms, wanted } of probes) findTerms(terms, [], wanted, verify);
  for (const { terms, wanted } of probes)
    for (const first of terms) findTerms(terms, [first], wanted, verify);
  for (const { terms, wanted } of probes) {
    const few = strongest(terms, columns.length);
    for (const first of few)
      for (const second of few)
        if (second.column > first.column) findTerms(few, [first, second], wanted, verify);
  }
  return sums.map(({ sum }) => sum);
}

const isTelling = (value: number, usual: number) => !Number.isNaN(value) && value !== usual;

function mostFrequent(values: Float64Array): number {
  const counts = new Map<number, number>();
  let most = Number.NaN;
  for (const value of values) {
    if (Number.isNaN(value)) continue;
    const count = (counts.get(value) ?? 0) + 1;
    counts.set(value, count);
    if (count > (counts.get(most) ?? 0)) most = value;
  }
  return most;
}

/** Projects the columns that have values in all of some random telling rows. */
function probe(
  columns: readonly Values[],
  target: Float64Array,
  telling: readonly number[],
  random: SeededRandom,
): { terms: Projected[]; wanted: Projected } {
  const missing = new Int32Array(target.length);
  for (const { values } of columns)
    for (const row of telling) if (Number.isNaN(values[row]!)) missing[row]!++;
  // Rows with the fewest gaps first, others at random.
  const order = telling.map((row) => ({ row, by: missing[row]! + random.next() }));
  const rows = order
    .toSorted((a, b) => a.by - b.by)
    .slice(0, PROBE_ROWS)
    .map(({ row }) => row);
  const wantedValues = Float64Array.from(rows, (row) => target[row]!);
  const weights = rows.map(() => 0.5 + random.next());
  const project = (values: Float64Array, column: number, sign: 1 | -1): Projected => {
    let value = 0;
    let size = 0;
    rows.forEach((row, at) => {
      const part = weights[at]! * values[row]!;
      value += sign * part;
      size += Math.abs(part);
    });
    const picked = Float64Array.from(rows, (row) => values[row]!);
    return { column, sign, value, size, relation: Math.abs(correlation(picked, wantedValues)) };
  };
  const terms = columns
    .flatMap(({ values }, column) => [project(values, column, 1), project(values, column, -1)])
    .filter(({ value, size }) => Number.isFinite(value) && size > 0)
    .toSorted((a, b) => a.value - b.value);
  return { terms, wanted: project(target, -1, 1) };
}

/** Calls `found` for every term of a later column that completes `chosen` to the wanted sum. */
function findTerms(
  terms: readonly Projected[],
  chosen: readonly Projected[],
  wanted: Projected,
  found: (terms: readonly Term[]) => void,
): void {
  const rest = chosen.reduce((left, { value }) => left - value, wanted.value);
  const size = chosen.reduce((sum, term) => sum + term.size, wanted.size);
  const last = chosen.at(-1)?.column ?? -1;
  // The term's own size is at least the rest, up to the slack.
  const slack = PRECISION * 2 * size;
  for (let at = firstRow(terms, ({ value }) => value >= rest - slack); at < terms.length; at++) {
    const term = terms[at]!;
    if (term.value > rest + slack) break;
    if (term.column > last) found([...chosen, term]);
  }
}

function correlation(a: Float64Array, b: Float64Array): number {
  const mean = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanA, meanB] = [mean(a), mean(b)];
  let aa = 0;
  let bb = 0;
  let ab = 0;
  for (let at = 0; at < a.length; at++) {
    aa += (a[at]! - meanA) ** 2;
    bb += (b[at]! - meanB) ** 2;
    ab += (a[at]! - meanA) * (b[at]! - meanB);
  }
  return aa > 0 && bb > 0 ? ab / Math.sqrt(aa * bb) : 0;
}

/** Keeps the terms of the columns that correlate most with the target if there are too many for sums of three. */
function strongest(terms: readonly Projected[], columns: number): readonly Projected[] {
  if (columns <= TRIPLE_COLUMNS) return terms;
  const kept = new Set(
    terms
      .filter(({ sign }) => sign === 1)
      .toSorted((a, b) => b.relation - a.relation)
      .slice(0, TRIPLE_COLUMNS)
      .map(({ column }) => column),
  );
  return terms.filter(({ column }) => kept.has(column));
}

function countMatches(
  columns: readonly Values[],
  terms: readonly Term[],
  target: Float64Array,
  usual: number,
): { matchingRows: number; comparedRows: number; telling: number; matching: number } {
  let matchingRows = 0;
  let comparedRows = 0;
  let trivial = 0;
  for (let row = 0; row < target.length; row++) {
    let sum = 0;
    let size = Math.abs(target[row]!);
    for (const { column, sign } of terms) {
      const value = columns[column]!.values[row]!;
      sum += sign * value;
      size += Math.abs(value);
    }
    if (Number.isNaN(size)) continue;
    const matches = Math.abs(sum - target[row]!) <= PRECISION * size;
    comparedRows++;
    if (matches) matchingRows++;
    if (matches && target[row] === usual) trivial++;
  }
  return { matchingRows, comparedRows, telling: comparedRows - trivial, matching: matchingRows - trivial };
}

function formulaOf(terms: readonly Term[], columns: readonly Values[]): string {
  // A positive term comes first: "gross − discount", not "−discount + gross".
  const ordered = terms.toSorted((a, b) => b.sign - a.sign || a.column - b.column);
  return ordered
    .map(
      ({ column, sign }, at) =>
        `${sign < 0 ? (at === 0 ? "−" : " − ") : at === 0 ? "" : " + "}${columns[column]!.name}`,
    )
    .join("");
}
