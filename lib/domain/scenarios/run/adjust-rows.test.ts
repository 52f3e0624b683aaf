import { existsSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import type { Column, Table } from "#lib/contract/table";
import { inFeatureOrder } from "#lib/domain/models/linked/series-tables";
import { applyAdjustments } from "#lib/engine/inference/adjust";
import type { InputAdjustment } from "#lib/engine/inference/adjustments";
import { checkInput } from "#lib/engine/inference/check-input";
import type { InputFeature } from "#lib/engine/inference/input-features";
import { concatTables } from "#lib/engine/table/concat";
import { setEnvironment } from "#testing/set-environment";
import { type AdjustRows, adjustRows } from "./adjust-rows.ts";
import { runInputTask } from "./input-tasks.ts";
import { writeInputRows } from "./scenario-input.ts";
import { readScenarioInput } from "./stored-input.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "adjust-rows-"));
setEnvironment({ DATA_DIR: folder });
afterAll(() => rmSync(folder, { recursive: true }));

const feature = (name: string, type: InputFeature["type"]): InputFeature => ({
  name,
  type,
  role: "input",
  required: true,
  missingAllowed: type !== "number",
  sourceProjectId: null,
  min: 0,
  max: 5,
  mean: null,
  median: null,
  missing: 0,
  categories: type === "category" ? ["a"] : null,
});
const features = [feature("x", "number"), feature("kind", "category")];

/** Blocks of these sizes with the columns time, kind and x. Their order differs from the features' order. */
function blocksOf(sizes: readonly number[], missing: boolean): Table[] {
  let row = 0;
  return sizes.map((rowCount, block) => {
    const first = row;
    row += rowCount;
    const values = (of: (row: number) => number) =>
      Float64Array.from({ length: rowCount }, (_, at) => of(first + at));
    const columns: Column[] = [
      { name: "time", type: "timestamp", values: values((at) => at * 1000) },
      {
        name: "kind",
        type: "category",
        categories: block % 2 === 0 ? ["a", "b"] : ["b", "c", "a"],
        codes: Int32Array.from({ length: rowCount }, (_, at) => (at % 3) - 1),
      },
      { name: "x", type: "number", values: values((at) => (missing && at === 17 ? Number.NaN : at / 4)) },
    ];
    return { rowCount, columns };
  });
}

const rowsOf = ({ rowCount, columns }: Table) =>
  Array.from({ length: rowCount }, (_, row) =>
    columns.map((column) =>
      column.type === "category" ? (column.categories[column.codes[row]!] ?? null) : column.values[row],
    ),
  );

let made = 0;
async function workOn(
  blocks: Table[],
  adjustments: InputAdjustment[],
  rows: "before" | "adjusted",
): Promise<AdjustRows> {
  const place = `projects/p/scenarios/s${++made}`;
  await writeInputRows(`${place}/sent`, blocks, { computed: [], knownUntil: null });
  return {
    inputKey: `${place}/sent`,
    adjustments,
    timestamp: "time",
    features,
    target: "y",
    series: [],
    store: { key: `${place}/input`, rows, without: [], notes: { computed: ["x"], knownUntil: 7 } },
  };
}

const adjustment = fc.constantFrom<InputAdjustment>(
  { feature: "x", operation: "multiply", value: 3, from: 5_000, to: 20_000 },
  { feature: "x", operation: "multiply", value: 1e308 },
  {
    feature: "kind",
    operation: "set",
    value: "new",
    where: [{ feature: "kind", operator: "!=", value: "b" }],
  },
  { feature: "kind", operation: "set", value: "a", where: [{ feature: "x", operator: ">", value: 4 }] },
);
const sizes = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 5 });

test("rows in any blocks are adjusted, checked and stored like the complete table", async () => {
  await fc.assert(
    fc.asyncProperty(
      sizes,
      fc.boolean(),
      fc.array(adjustment, { maxLength: 3 }),
      async (counts, missing, adjustments) => {
        const blocks = blocksOf(counts, missing);
        const whole = concatTables(blocks);
        const expected = applyAdjustments(whole, adjustments, "time");
        const work = await workOn(blocks, adjustments, "adjusted");
        const found = await adjustRows(work);
        expect(found.columns).toEqual(["time", "kind", "x"]);
        expect(found.rowCount).toBe(whole.rowCount);
        if (!expected.ok) {
          expect(found.unfit).toEqual(expected.issues);
          expect(existsSync(path.join(folder, "artifacts", work.store!.key))).toBe(false);
          return;
        }
        expect(found.unfit).toEqual([]);
        expect(found.latest).toBe((whole.rowCount - 1) * 1000);
        expect(found.changedRows).toEqual(expected.changedRows);
        const check = checkInput(
          { ...expected.table, columns: expected.table.columns.slice(1) },
          features,
          "y",
        );
        expect([found.check.issues, found.check.issueCount]).toEqual([check.issues, check.issueCount]);
        expect(found.check.warnings.map(({ code, column, rows }) => [code, column, rows])).toEqual(
          check.warnings.map(({ code, column, rows }) => [code, column, rows]),
        );
        if (check.issueCount > 0) {
          expect(existsSync(path.join(folder, "artifacts", work.store!.key))).toBe(false);
          return;
        }
        const { table, ...notes } = await readScenarioInput(work.store!.key);
        expect(notes).toEqual({ computed: ["x"], knownUntil: 7 });
        expect(table.columns.map(({ name }) => name)).toEqual(["time", "x", "kind"]);
        expect(rowsOf(table)).toEqual(rowsOf(inFeatureOrder(features, expected.table)));
      },
    ),
    { numRuns: 60 },
  );
});

test("a worker thread stores the same as this thread, and the original rows if they are adjusted later", async () => {
  const blocks = blocksOf([40, 3, 20], false);
  const adjustments: InputAdjustment[] = [{ feature: "x", operation: "add", value: 1 }];
  const work = await workOn(blocks, adjustments, "before");
  work.store!.without = ["kind"];
  const here = await adjustRows(work);
  const { table } = await readScenarioInput(work.store!.key);
  expect(rowsOf(table)).toEqual(rowsOf(concatTables(blocks)).map(([time, , x]) => [time, x]));
  const inThread = { ...work, store: { ...work.store!, key: `${work.store!.key}-2` } };
  expect(await runInputTask("adjust", inThread, { bytes: 1 << 20 })).toEqual(here);
  expect(await readScenarioInput(inThread.store.key)).toEqual(await readScenarioInput(work.store!.key));
});
