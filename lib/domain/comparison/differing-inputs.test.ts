import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Column, Table } from "#lib/contract/table";
import { writeInputRows } from "#lib/domain/scenarios/run/scenario-input";
import { align } from "#lib/engine/series/align";
import { changedInputs } from "#lib/engine/series/changed-inputs";
import { concatTables } from "#lib/engine/table/concat";
import { setEnvironment } from "#testing/set-environment";
import { differingInputs } from "./differing-inputs.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "differing-inputs-"));
beforeAll(() => {
  setEnvironment({ DATA_DIR: folder });
});
afterAll(() => rmSync(folder, { recursive: true }));

type Row = { gap: number; price: number; kind: string | null; launch?: number };
type Side = { rows: Row[]; sizes: number[]; without: string | null; asText: boolean };

/** Splits rows into blocks, repeating the given sizes. The order of categories differs between blocks. */
function blocksOf({ rows, sizes, without, asText }: Side, times: Float64Array): Table[] {
  const blocks: Table[] = [];
  for (let from = 0, at = 0; from < rows.length; at++) {
    const part = rows.slice(from, from + sizes[at % sizes.length]!);
    const columns: Column[] = [
      { name: "time", type: "timestamp", values: times.slice(from, from + part.length) },
      numbers(
        asText,
        part.map(({ price }) => price),
      ),
      texts(
        "kind",
        part.map(({ kind }) => kind),
        at % 2 === 1,
      ),
      { name: "launch", type: "timestamp", values: Float64Array.from(part, ({ launch }) => launch ?? 0) },
    ];
    blocks.push({ rowCount: part.length, columns: columns.filter(({ name }) => name !== without) });
    from += part.length;
  }
  return blocks;
}

function texts(name: string, cells: (string | null)[], reversed: boolean): Column {
  const found = [...new Set(cells.filter((cell) => cell !== null))];
  const categories = reversed ? found.reverse() : found;
  const codes = Int32Array.from(cells, (cell) => (cell === null ? -1 : categories.indexOf(cell)));
  return { name, type: "category", codes, categories };
}

const numbers = (asText: boolean, values: number[]): Column =>
  asText
    ? texts(
        "price",
        values.map((value) => (Number.isNaN(value) ? null : String(value))),
        false,
      )
    : { name: "price", type: "number", values: Float64Array.from(values) };

const row = fc.record({
  gap: fc.constantFrom(1, 1, 1, 2, 7),
  price: fc.constantFrom(1, 1, 2, Number.NaN),
  kind: fc.constantFrom("a", "a", "b", null),
  launch: fc.constantFrom(0, 0, 0, 1, Number.NaN),
});
const side = fc.record({
  rows: fc.array(row, { minLength: 1, maxLength: 40 }),
  sizes: fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 4 }),
  without: fc.constantFrom(null, null, "price", "kind"),
  asText: fc.boolean(),
});

let written = 0;

/** Runs `differingInputs` on stored inputs, and `changedInputs` on the same tables in memory. */
async function bothWays(
  sides: Side[],
  timesOf: (side: Side) => Float64Array,
  { timed = true, baseline = 0 } = {},
) {
  const scenarios = await Promise.all(
    sides.map(async (one, index) => {
      const inputKey = `projects/p/scenarios/s${++written}/input`;
      const blocks = blocksOf(one, timesOf(one));
      await writeInputRows(inputKey, blocks, { computed: [], knownUntil: null });
      const timestamps = timed ? timesOf(one) : null;
      return {
        scenarioId: `s${index}`,
        inputKey,
        rowCount: one.rows.length,
        timestamps,
        table: concatTables(blocks),
      };
    }),
  );
  const baselineId = `s${baseline}`;
  const stored = await differingInputs({ scenarios, baselineId, timeColumns: ["time"] });
  return { stored, inMemory: changedInputs(scenarios, baselineId, align(scenarios), timed ? ["time"] : []) };
}

function ascending({ rows }: Side): Float64Array {
  let time = 0;
  return Float64Array.from(rows, ({ gap }) => (time += gap));
}

test("inputs in blocks give the same differences as inputs in memory, by time and by row", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(side, { minLength: 2, maxLength: 4 }),
      fc.nat(3),
      fc.boolean(),
      async (sides, at, timed) => {
        const { stored, inMemory } = await bothWays(sides, ascending, { timed, baseline: at % sides.length });
        expect(stored).toEqual(inMemory);
      },
    ),
    { numRuns: 80 },
  );
});

test("inputs with the same rows in other blocks do not differ, and each differing point counts once", async () => {
  const rows = Array.from({ length: 30 }, (_, at): Row => ({ gap: 1, price: at, kind: at % 2 ? "a" : "b" }));
  const same = { rows, without: null, asText: false };
  expect(
    (
      await bothWays(
        [
          { ...same, sizes: [7] },
          { ...same, sizes: [30] },
        ],
        ascending,
      )
    ).stored,
  ).toEqual([]);
  const other = {
    ...same,
    rows: rows.map((one, at) => ({ ...one, price: at < 3 || at > 25 ? 0.5 : one.price })),
  };
  const { stored } = await bothWays(
    [
      { ...same, sizes: [7] },
      { ...other, sizes: [4] },
      { ...other, sizes: [9] },
    ],
    ascending,
  );
  // Prices 0, 1, 2 and 26 to 29 become 0.5.
  const amount = { rows: 7, sum: -109.5, min: -28.5, max: 0.5 };
  expect(stored).toEqual([
    {
      feature: "price",
      scenarioIds: ["s1", "s2"],
      changedRows: 7,
      amounts: ["s1", "s2"].map((scenarioId) => ({ scenarioId, ...amount })),
    },
  ]);
});

test("rows in any order, or without a time, are compared at equal times", async () => {
  const shuffled = fc.array(fc.option(fc.nat(50), { nil: Number.NaN }), { minLength: 40, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(side, side, shuffled, async (a, b, times) => {
      const timesOf = (one: Side) =>
        one === b ? Float64Array.from(times.slice(0, b.rows.length)) : ascending(one);
      const { stored, inMemory } = await bothWays([a, b], timesOf);
      expect(stored).toEqual(inMemory);
    }),
    { numRuns: 60 },
  );
});

test("a time that the models name differently is no input, and other dates are", async () => {
  const times = Float64Array.from([1, 2, 3]);
  const scenarios = await Promise.all(
    ["time", "day"].map(async (name, index) => {
      const inputKey = `projects/p/scenarios/s${++written}/input`;
      const columns: Column[] = [
        { name: "launch", type: "timestamp", values: Float64Array.from([5, 6 + index, 7]) },
        { name, type: "timestamp", values: times },
      ];
      await writeInputRows(inputKey, [{ rowCount: 3, columns }], { computed: [], knownUntil: null });
      return { scenarioId: `s${index}`, inputKey, rowCount: 3, timestamps: times };
    }),
  );
  expect(await differingInputs({ scenarios, baselineId: "s0", timeColumns: ["time", "day"] })).toEqual([
    { feature: "launch", scenarioIds: ["s1"], changedRows: 1, amounts: [] },
  ]);
});

test("scenarios with too many points to align are rejected with a validation error", async () => {
  const rowCount = 151_000;
  const inputKey = `projects/p/scenarios/s${++written}/input`;
  await writeInputRows(inputKey, [], { computed: [], knownUntil: null });
  const scenarios = Array.from({ length: 20 }, (_, index) => ({
    scenarioId: `s${index}`,
    inputKey,
    rowCount,
    timestamps: Float64Array.from({ length: rowCount }, (_, row) => 20 * row + index),
  }));
  await expect(differingInputs({ scenarios, baselineId: "s0", timeColumns: [] })).rejects.toMatchObject({
    code: "validation_failed",
    details: [expect.objectContaining({ field: "ids", code: "too_many_points" })],
  });
});
