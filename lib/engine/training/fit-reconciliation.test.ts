import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Table } from "#lib/contract/table";
import { checkFiles } from "#lib/engine/inference/check-files";
import { loadModel } from "#lib/engine/inference/load-model";
import { readStoredLearner, writePanel } from "#lib/engine/inference/panel-file";
import { seededRandom } from "#lib/engine/learners/seeded-random";
import type { PanelLearner } from "#lib/engine/panel-model/panel-learner";
import { correctionOf } from "#lib/engine/panel-model/reconciliation";
import { takeRows } from "#lib/engine/table/rows";
import { correctorOf } from "./divide-differences.ts";
import { fitModel } from "./fit-model.ts";

const [SHOPS, MONTHS, AHEAD] = [60, 72, 6];

/** Returns rows as a table, with sales if given. */
function tableOf(rows: readonly { shop: number; time: number }[], sales?: readonly number[]): Table {
  const shops = Math.max(...rows.map(({ shop }) => shop)) + 1;
  return {
    rowCount: rows.length,
    columns: [
      { name: "month", type: "timestamp", values: Float64Array.from(rows, ({ time }) => time) },
      {
        name: "shop",
        type: "category",
        categories: Array.from({ length: shops }, (_, shop) => `S${shop}`),
        codes: Int32Array.from(rows, ({ shop }) => shop),
      },
      ...(sales ? [{ name: "sales", type: "number" as const, values: Float64Array.from(sales) }] : []),
    ],
  };
}

/** Sales of noisy shops, whose total shows a trend that is hard to see in any of them. */
function hiddenTrend(seed: number): { table: Table; actual: Float64Array } {
  const random = seededRandom(seed);
  const rows = Array.from({ length: SHOPS }, (_, shop) =>
    Array.from({ length: MONTHS + AHEAD }, (_, month) => ({
      shop,
      time: Date.UTC(2018, month, 1),
      sales: 100 * (1 + 0.015 * month) * (0.3 + 1.4 * random.next()),
    })),
  ).flat();
  const table = tableOf(
    rows,
    rows.map(({ sales }) => sales),
  );
  const actual = new Float64Array(AHEAD);
  rows.forEach(({ sales }, row) => {
    const month = row % (MONTHS + AHEAD);
    if (month >= MONTHS) actual[month - MONTHS]! += sales;
  });
  return { table, actual };
}

const rowsOf = (table: Table, isKept: (month: number) => boolean) =>
  takeRows(
    table,
    Int32Array.from({ length: table.rowCount }, (_, row) => row).filter((row) =>
      isKept(row % (MONTHS + AHEAD)),
    ),
  );

async function trained(table: Table) {
  const { files } = await fitModel({
    table: rowsOf(table, (month) => month < MONTHS),
    target: "sales",
    timestamp: "month",
    series: ["shop"],
    request: { horizon: AHEAD },
  });
  const learner = readStoredLearner(files.get("learner.json")!) as PanelLearner;
  const load = (changed: PanelLearner) => {
    const all = new Map(files).set("learner.json", writePanel(changed));
    checkFiles(all);
    return loadModel(async (name) => all.get(name)!);
  };
  return { learner, load, files };
}

describe("reconciliation", () => {
  it("follows what only the total shows", async () => {
    let [own, together] = [0, 0];
    for (const seed of [1, 2, 3]) {
      const { table, actual } = hiddenTrend(seed);
      const { learner, load } = await trained(table);
      if (!learner.reconciliation) continue;
      const rows = rowsOf(table, (month) => month >= MONTHS);
      const missed = async (model: Awaited<ReturnType<typeof load>>) => {
        const { predictions } = await model.predict(rows);
        const sums = new Float64Array(AHEAD);
        predictions.forEach((value, row) => {
          sums[row % AHEAD]! += value;
        });
        return sums.reduce((sum, value, at) => sum + Math.abs(value - actual[at]!), 0);
      };
      together += await missed(await load(learner));
      own += await missed(await load({ ...learner, reconciliation: undefined }));
    }
    expect(own).toBeGreaterThan(0);
    expect(together).toBeLessThan(0.9 * own);
  });

  it("corrects no row within the known times, and rejects corrections of other series", async () => {
    const { table } = hiddenTrend(1);
    const { learner, load, files } = await trained(table);
    const { reconciliation } = learner;
    expect(reconciliation).toBeDefined();
    const known = rowsOf(table, (month) => month >= MONTHS - 3 && month < MONTHS);
    const [with_, without] = [await load(learner), await load({ ...learner, reconciliation: undefined })];
    expect((await with_.predict(known)).predictions).toEqual((await without.predict(known)).predictions);
    const broken = { ...learner, reconciliation: { ...reconciliation!, steps: AHEAD + 1 } };
    expect(() => checkFiles(new Map(files).set("learner.json", writePanel(broken)))).toThrow(
      "learner.json is wrong at reconciliation.corrections",
    );
  });

  it("predicts numbers for random panels with gaps, late and ended series", async () => {
    for (let seed = 1; seed <= 12; seed++) {
      const random = seededRandom(seed);
      const [series, days] = [2 + random.below(8), 30 + random.below(60)];
      const rows = Array.from({ length: series }, (_, place) => {
        const from = random.next() < 0.3 ? random.below(days - 5) : 0;
        const to = random.next() < 0.3 ? from + 1 + random.below(days - from) : days;
        const filled = random.next() < 0.3 ? 0.4 : 1;
        const level = random.next() < 0.2 ? 0 : 10 ** random.below(4);
        return Array.from({ length: to - from }, (_, i) => ({
          shop: place,
          time: Date.UTC(2025, 0, 1 + from + i),
          value: (seed % 3 === 0 ? -0.5 : 0) * level + level * random.next(),
        })).filter(() => random.next() < filled);
      }).flat();
      const table = tableOf(
        rows,
        rows.map(({ value }) => value),
      );
      const { files } = await fitModel({
        table,
        target: "sales",
        timestamp: "month",
        series: ["shop"],
        frequency: "P1D",
      });
      checkFiles(files);
      const model = await loadModel(async (name) => files.get(name)!);
      const next = 20;
      const future = tableOf(
        Array.from({ length: series * next }, (_, row) => ({
          shop: Math.floor(row / next),
          time: Date.UTC(2025, 0, 1 + days + (row % next)),
        })),
      );
      const { predictions } = await model.predict(future);
      expect(predictions.every(Number.isFinite), `seed ${seed}`).toBe(true);
    }
  });

  it("repeats the last season after its steps, and adds nothing before them", () => {
    const corrections = Float64Array.from([1, 2, 3, 4, 5, 10, 20, 30, 40, 50]);
    const at = (index: number, season: number, place = 0) =>
      correctionOf({ from: 100, steps: 5, season, corrections }, place, index);
    expect([99, 100, 104, 105, 106, 107].map((index) => at(index, 2))).toEqual([0, 1, 5, 4, 5, 4]);
    expect([104, 105, 200].map((index) => at(index, 1, 1))).toEqual([50, 50, 50]);
  });

  it("adds up to forecasts of totals without errors, and leaves those that err", () => {
    const error = fc.double({ min: 0.1, max: 100, noNaN: true });
    const panel = fc.record({
      errors: fc.array(error, { minLength: 2, maxLength: 30 }),
      difference: fc.double({ min: -1_000, max: 1_000, noNaN: true }),
      sums: fc.array(fc.double({ min: -100, max: 100, noNaN: true }), { minLength: 1, maxLength: 5 }),
    });
    fc.assert(
      fc.property(panel, ({ errors, difference, sums }) => {
        const corrected = (ofTotal: number) =>
          correctorOf(
            { levels: 1, count: 1, members: new Int32Array(errors.length) },
            {
              levels: [0],
              ofTotals: Float64Array.of(ofTotal),
              ofSums: Float64Array.from(sums),
              ofSeries: Float64Array.from(errors),
              isActive: new Uint8Array(errors.length).fill(1),
            },
          )(Float64Array.of(difference), new Uint8Array(errors.length).fill(1));
        const sum = (values: Float64Array) => values.reduce((a, b) => a + b, 0);
        expect(sum(corrected(0))).toBeCloseTo(difference, 6);
        expect(Math.abs(sum(corrected(1e9)))).toBeLessThan(1e-6 * Math.abs(difference) + 1e-9);
        expect(sum(corrected(Number.POSITIVE_INFINITY))).toBe(0);
        const both = sum(corrected(10));
        expect(Math.sign(both) * Math.sign(difference)).toBeGreaterThanOrEqual(0);
        expect(Math.abs(both)).toBeLessThanOrEqual(Math.abs(difference) + 1e-9);
        // The least certain series takes the most.
        const most = errors.indexOf(Math.max(...errors));
        const parts = corrected(10).map(Math.abs);
        expect(parts[most]).toBe(Math.max(...parts));
      }),
    );
  });
});
