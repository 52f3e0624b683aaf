import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Column, Table } from "#lib/contract/table";
import { outsideTest, outsideTraining } from "#lib/engine/csv/outside-training";
import type { InputFeature } from "#lib/engine/inference/input-features";
import { findColumn } from "#lib/engine/table/columns";
import { concatTables } from "#lib/engine/table/concat";
import { setEnvironment } from "#testing/set-environment";
import { type FindOutside, findOutside } from "./find-outside.ts";
import { writeInputRows } from "./scenario-input.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "find-outside-"));
beforeAll(() => {
  setEnvironment({ DATA_DIR: folder });
});
afterAll(() => rmSync(folder, { recursive: true }));

const feature = (name: string, type: InputFeature["type"], more: Partial<InputFeature>): InputFeature => ({
  name,
  type,
  role: "input",
  required: true,
  missingAllowed: true,
  missing: 0,
  min: null,
  max: null,
  mean: null,
  median: null,
  categories: null,
  sourceProjectId: null,
  ...more,
});
const features = [
  feature("at", "timestamp", { role: "timestamp", min: 0, max: 1 }),
  feature("x", "number", { min: 0, max: 1 }),
  feature("launch", "timestamp", { min: 0, max: 1 }),
  feature("calm", "number", { min: 0, max: 9 }),
  feature("absent", "number", { min: 0, max: 1 }),
  feature("open", "boolean", { min: 0, max: 0 }),
  feature("kind", "category", { categories: ["a", "b"] }),
];

type Row = { x: number; open: number; kind: string | null };

/** Keeps only the categories that occur, as stored blocks do. */
function blockOf(rows: readonly Row[]): Table {
  const categories = [...new Set(rows.flatMap(({ kind }) => kind ?? []))];
  const numbers = (name: string, type: "number" | "boolean" | "timestamp", of: (row: Row) => number) =>
    ({ name, type, values: Float64Array.from(rows, of) }) satisfies Column;
  const columns: Column[] = [
    numbers("at", "timestamp", () => 5),
    numbers("x", "number", ({ x }) => x),
    numbers("launch", "timestamp", ({ open }) => 2 * open),
    numbers("calm", "number", ({ open }) => open),
    numbers("open", "boolean", ({ open }) => open),
    {
      name: "kind",
      type: "category",
      categories,
      codes: Int32Array.from(rows, ({ kind }) => (kind === null ? -1 : categories.indexOf(kind))),
    },
  ];
  return { rowCount: rows.length, columns };
}

/** Computes the same row by row from a complete table in memory. */
function expectedOf(table: Table, order: readonly number[], spansMax: number) {
  const outside = features.flatMap((one) => {
    const column = findColumn(table, one.name);
    return (column && outsideTraining(column, one)) ?? [];
  });
  const tests = outside.map(({ feature: name }) => ({
    name,
    isOutside: outsideTest(findColumn(table, name)!, features.find((one) => one.name === name)!)!,
  }));
  const places = [...order.keys()].filter((place) => tests.some(({ isOutside }) => isOutside(order[place]!)));
  const gaps = places.slice(1).map((place, at) => place - places[at]!);
  const widest = gaps.toSorted((a, b) => b - a)[spansMax - 1] ?? 1;
  const stretches: number[][] = [];
  for (const [at, place] of places.entries()) {
    if (at > 0 && gaps[at - 1]! <= widest) stretches.at(-1)!.push(place);
    else stretches.push([place]);
  }
  const spans = stretches.map((stretch) => ({
    first: stretch[0]!,
    last: stretch.at(-1)!,
    features: tests
      .filter(({ isOutside }) => stretch.some((place) => isOutside(order[place]!)))
      .map(({ name }) => name),
  }));
  const withoutDates = outside.map((one) => (one.feature === "launch" ? { ...one, range: null } : one));
  return { features: withoutDates, spans };
}

let written = 0;
async function foundIn(blocks: readonly Table[], order: FindOutside["order"]) {
  const inputKey = `projects/p/scenarios/s${++written}/input`;
  await writeInputRows(inputKey, blocks, { computed: [], knownUntil: null });
  const [found] = await findOutside([{ inputKey, features, order }]);
  return found!;
}

const rowOf = fc.record<Row>({
  x: fc.constantFrom(0, 0.5, 1, 1, Number.NaN, -1, 2),
  open: fc.constantFrom(0, 0, 0, 1, Number.NaN),
  kind: fc.constantFrom("a", "b", "a", null, "c", "d"),
});

test("blocks of any sizes, in input order or time order, give the same result as the complete table", async () => {
  const blocks = fc.array(fc.array(rowOf, { minLength: 1, maxLength: 12 }), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(blocks, fc.array(fc.nat()), fc.boolean(), async (parts, keys, isOrdered) => {
      const tables = parts.map(blockOf);
      const whole = concatTables(tables);
      const rows = Array.from({ length: whole.rowCount }, (_, row) => row);
      // Some rows have no time.
      const order = isOrdered
        ? rows
            .filter((row) => (keys[row] ?? 1) % 5 !== 0)
            .sort((a, b) => (keys[a] ?? a) - (keys[b] ?? b) || a - b)
        : null;
      const found = await foundIn(tables, order && Int32Array.from(order));
      expect(found).toEqual(expectedOf(whole, order ?? rows, 200));
    }),
    { numRuns: 100 },
  );
});

test("too many stretches are merged across the smallest gaps", async () => {
  const rows = Array.from(
    { length: 1_300 },
    (_, row): Row => ({ x: row % 5 === 0 || row % 7 === 0 ? 2 : 0, open: 0, kind: "a" }),
  );
  const tables = [rows.slice(0, 700), rows.slice(700)].map(blockOf);
  const found = await foundIn(tables, null);
  expect(found.spans.length).toBeLessThanOrEqual(200);
  expect(found).toEqual(expectedOf(concatTables(tables), [...rows.keys()], 200));
});
