import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Column, Table } from "#lib/contract/table";
import { seededRandom } from "#lib/engine/learners/seeded-random";
import { findSuspects } from "./find-suspects.ts";

const ROWS = 300;

type Numbers = (row: number) => number;

const column = (name: string, valueAt: Numbers, rows = ROWS): Column => ({
  name,
  type: "number",
  values: Float64Array.from({ length: rows }, (_, row) => valueAt(row)),
});
const texts = (name: string, textOf: (row: number) => string): Column => {
  const all = Array.from({ length: ROWS }, (_, row) => textOf(row));
  const categories = [...new Set(all)];
  return {
    name,
    type: "category",
    codes: Int32Array.from(all, (text) => categories.indexOf(text)),
    categories,
  };
};

/** Random counts, prices and flags, without relation to each other. */
function randomColumns(seed: number, count: number, rows = ROWS): Column[] {
  const random = seededRandom(seed);
  const kinds: Numbers[] = [
    () => random.below(500),
    () => random.below(100_000) / 100,
    () => random.below(2),
    () => random.next() * 10 ** (random.below(7) - 3),
    () => (random.below(10) === 0 ? random.below(20) : 0),
  ];
  return Array.from({ length: count }, (_, at) => column(`x${at}`, kinds[at % kinds.length]!, rows));
}

const valuesOf = (one: Column) => (one as Extract<Column, { values: Float64Array }>).values;

function suspectsOf(columns: Column[], timestamp: string | null = null) {
  const table: Table = { rowCount: ROWS, columns };
  const inputs = columns.map(({ name }) => name).filter((name) => name !== "target" && name !== timestamp);
  return findSuspects(table, { target: "target", timestamp, inputs });
}

const seed = fc.integer({ min: 1, max: 1_000_000 });

describe("findSuspects", () => {
  it("finds nothing in random data", () => {
    fc.assert(
      fc.property(seed, fc.integer({ min: 2, max: 40 }), fc.boolean(), (of, count, isSeries) => {
        const [target, ...others] = randomColumns(of, count + 1);
        const time = column("time", (row) => row * 3_600_000);
        const columns = [{ ...target!, name: "target" }, ...others];
        expect(isSeries ? suspectsOf([...columns, time], "time") : suspectsOf(columns)).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it("finds nothing in numbers whose squares overflow", () => {
    const random = seededRandom(1);
    const huge = () => random.next() * 1e300;
    expect(suspectsOf([column("target", huge), column("x", huge)])).toEqual([]);
  });

  it("finds a planted sum or difference of one to three columns, and nothing else", () => {
    fc.assert(
      fc.property(
        seed,
        fc.shuffledSubarray([0, 1, 3, 5, 6, 8, 10, 11, 13], { minLength: 1, maxLength: 3 }),
        fc.array(fc.constantFrom(1, -1), { minLength: 3, maxLength: 3 }),
        (of, places, signs) => {
          const columns = randomColumns(of, 15);
          const sum = (row: number) =>
            places.reduce((total, at, term) => total + signs[term]! * valuesOf(columns[at]!)[row]!, 0);
          const found = suspectsOf([...columns, column("target", sum)]).filter(
            ({ kind }) => kind === "equals_target",
          );
          expect(found.map(({ columns: names }) => names.toSorted())).toEqual([
            places.map((at) => `x${at}`).toSorted(),
          ]);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("finds a sum with gaps in its columns and a few deviating rows", () => {
    fc.assert(
      fc.property(seed, (of) => {
        const random = seededRandom(of);
        const gappy = (share: number) => (value: number) => (random.next() < share ? Number.NaN : value);
        const [a, b, ...others] = randomColumns(of, 10);
        const target = column("target", (row) => valuesOf(a!)[row]! + valuesOf(b!)[row]!);
        valuesOf(target)[7]! += 3;
        const holes = (one: Column): Column => ({ ...one, values: valuesOf(one).map(gappy(0.1)) }) as Column;
        const found = suspectsOf([holes(a!), holes(b!), ...others.map(holes), target]);
        expect(found).toContainEqual(
          expect.objectContaining({ kind: "equals_target", columns: ["x0", "x1"], formula: "x0 + x1" }),
        );
      }),
      { numRuns: 40 },
    );
  });

  it("does not take rare values for equal ones", () => {
    const random = seededRandom(3);
    const rare = (name: string) => column(name, () => (random.below(150) === 0 ? 1 + random.below(9) : 0));
    expect(suspectsOf([rare("a"), rare("b"), rare("c"), rare("target")])).toEqual([]);
  });

  it.each<[string, Numbers]>([
    ["a line", (x) => 32 + 1.8 * x],
    ["a power", (x) => x ** 3],
    ["a symmetric curve", (x) => (x - 500) ** 2],
  ])("finds a column if the target is %s of it", (_, relation) => {
    const random = seededRandom(1);
    const x = column("x", () => random.next() * 1_000);
    const target = column("target", (row) => relation(valuesOf(x)[row]!));
    expect(suspectsOf([x, target])).toMatchObject([{ kind: "explains_target", columns: ["x"] }]);
  });

  it("finds a category that determines the target", () => {
    const level = texts("level", (row) => `level ${row % 7}`);
    expect(suspectsOf([level, column("target", (row) => (row % 7) ** 2)])).toMatchObject([
      { kind: "explains_target", columns: ["level"], r2: 1 },
    ]);
  });

  it("does not suspect a strong but imperfect cause, nor a counter of a smooth series", () => {
    const random = seededRandom(1);
    const x = column("x", () => random.next());
    const noisy = column("target", (row) => valuesOf(x)[row]! + 0.1 * (random.next() - 0.5));
    expect(suspectsOf([x, noisy])).toEqual([]);
    const count = column("count", (row) => row * row);
    const smooth = column("target", (row) => Math.sin(row / 20));
    const time = column("time", (row) => row * 3_600_000);
    expect(suspectsOf([time, count, smooth], "time")).toEqual([]);
  });

  it("finds identifiers, but no measurements", () => {
    const random = seededRandom(1);
    const columns = [
      column("instant", (row) => row + 1),
      column("order_id", (row) => 1_000 + 7 * row),
      texts("reference", (row) => `ref-${row * 31}`),
      column("metres", (row) => 1_000 + 7 * row),
      column("store_id", (row) => row % 9),
      texts("place", (row) => `place ${row % 40}`),
      column("price", () => random.next()),
      column("target", () => random.next()),
    ];
    expect(suspectsOf(columns).map(({ kind, columns: [name] }) => [kind, name])).toEqual([
      ["identifier", "instant"],
      ["identifier", "order_id"],
      ["identifier", "reference"],
    ]);
  });

  it("finds columns that are empty in the newest rows, but no columns with gaps everywhere", () => {
    const random = seededRandom(1);
    const until = (end: number) => (row: number) => (row < end ? random.next() : Number.NaN);
    const columns = [
      column("time", (row) => row * 3_600_000),
      column("late", until(ROWS - 24)),
      column("gappy", () => (random.next() < 0.3 ? Number.NaN : random.next())),
      column("ended", until(100)),
      column("empty", () => Number.NaN),
      column("target", () => random.next()),
    ];
    expect(suspectsOf(columns, "time")).toEqual([
      { kind: "empty_in_newest_rows", columns: ["late"], newestRows: 24, last: ROWS - 25 },
      { kind: "empty_in_newest_rows", columns: ["ended"], newestRows: 200, last: 99 },
    ]);
    expect(suspectsOf(columns.slice(1))).toEqual([]);
  });

  it("needs twenty rows", () => {
    const few = (name: string, valueAt: Numbers) => column(name, valueAt, 19);
    const columns = [few("id", (row) => row), few("double", (row) => row), few("target", (row) => row)];
    const table = { rowCount: 19, columns };
    expect(findSuspects(table, { target: "target", timestamp: null, inputs: ["id", "double"] })).toEqual([]);
  });
});
