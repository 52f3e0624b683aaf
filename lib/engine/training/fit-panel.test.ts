import { describe, expect, it } from "vitest";
import type { Table } from "#lib/contract/table";
import { generateInputs } from "#lib/engine/forecasting/generate-inputs";
import { checkFiles } from "#lib/engine/inference/check-files";
import { loadModel } from "#lib/engine/inference/load-model";
import { readStoredLearner, writePanel } from "#lib/engine/inference/panel-file";
import { predictorOf } from "#lib/engine/inference/plain-model";
import { seededRandom } from "#lib/engine/learners/seeded-random";
import { withColumn } from "#lib/engine/table/columns";
import { concatTables } from "#lib/engine/table/concat";
import { sliceRows, takeRows } from "#lib/engine/table/rows";
import { future, plantedPanel } from "#testing/planted-panel";
import { fitModel } from "./fit-model.ts";

const INPUT = { target: "sales", timestamp: "date", series: ["store", "item"] };

async function fitted(table: Table) {
  const { files, summary } = await fitModel({ table, ...INPUT });
  checkFiles(files);
  const model = await loadModel(async (name) => files.get(name)!);
  return { files, summary, model };
}

describe("a model of many series", () => {
  it("learns the effect of prices, and lends it to series whose price never moved", async () => {
    const { table, elasticities, days } = plantedPanel();
    const { model, summary } = await fitted(table);
    expect(model.state.series).toEqual({ columns: ["store", "item"], levels: ["region"] });
    const rows = future(table, days, 14);
    const { predictions } = await model.predict(rows);
    const price = rows.columns.find(({ name }) => name === "price")!;
    if (price.type !== "number") throw new Error("no price");
    const cheaper = withColumn(rows, { ...price, values: price.values.map((value) => 0.8 * value) });
    const changed = await model.predict(cheaper);
    const ratios = Array.from(elasticities, (_, series) => {
      const sum = (values: Float64Array) =>
        values.subarray(series * 14, series * 14 + 14).reduce((a, b) => a + b, 0);
      return Math.log(sum(changed.predictions) / sum(predictions)) / Math.log(0.8);
    });
    ratios.forEach((ratio) => {
      expect(ratio).toBeLessThan(-0.8);
    });
    const errors = ratios.map((ratio, series) =>
      Math.abs(ratio - (series % 5 === 0 ? -2 : elasticities[series]!)),
    );
    expect(errors.reduce((a, b) => a + b, 0) / errors.length).toBeLessThan(0.35);
    expect(summary.panel!.levels.map(({ by }) => by)).toEqual([
      [],
      ["region"],
      ["store"],
      ["item"],
      ["store", "item"],
    ]);
    expect(summary.trainingMetrics.validation!.mae!).toBeLessThan(summary.trainingMetrics.baseline!.mae!);
    const effect = summary.effects!.find(({ feature }) => feature === "price")!;
    expect(effect.effect).toBeLessThan(-10);
    const [byPrice] = summary.panel!.effects!;
    expect(byPrice!.quantiles.at(-1)).toBeLessThan(0);
    expect(byPrice!.groups.map(({ by, values }) => [by, values.length])).toEqual([
      ["store", 4],
      ["item", 5],
      ["region", 2],
    ]);
  });

  it("predicts the same bits for any order and subset of rows", async () => {
    const { table, days } = plantedPanel({ stores: 2, items: 3, days: 120 });
    const { model } = await fitted(table);
    const rows = future(table, days, 10);
    const include = { intervals: true };
    const whole = await model.predict(rows, { include });
    const order = seededRandom(3).shuffle(Int32Array.from({ length: rows.rowCount }, (_, row) => row));
    const shuffled = await model.predict(takeRows(rows, order), { include });
    order.forEach((row, at) => {
      expect(shuffled.predictions[at]).toBe(whole.predictions[row]);
      expect(shuffled.intervals!.upper[at]).toBe(whole.intervals!.upper[row]);
    });
    for (const row of [0, 7, 33]) {
      const alone = await model.predict(sliceRows(rows, row, row + 1));
      expect(alone.predictions[0]).toBe(whole.predictions[row]);
    }
  });

  it("explains predictions by contributions that add up", async () => {
    const { table, days } = plantedPanel({ stores: 2, items: 3, days: 120 });
    const { model } = await fitted(table);
    const { predictions, contributions } = await model.predict(future(table, days, 5), {
      include: { contributions: true },
    });
    contributions!.values.forEach((values, row) => {
      const sum = values.reduce((a, b) => a + b, contributions!.baseValue);
      expect(sum).toBeCloseTo(predictions[row]!, 6);
    });
    expect(contributions!.features).toContain("price");
  });

  it("predicts unknown series from the values of their columns, with a warning", async () => {
    const { table, days } = plantedPanel();
    const known = takeRows(
      table,
      Int32Array.from({ length: table.rowCount }, (_, row) => row).filter(
        (row) => Math.floor(row / days) !== 19,
      ),
    );
    const { model } = await fitted(known);
    const rows = sliceRows(future(table, days, 7), 19 * 7, 20 * 7);
    const { predictions, warnings } = await model.predict(rows);
    expect(warnings.find(({ code }) => code === "unknown_series")).toMatchObject({ rows: 7 });
    // Item I4 in store S3 has a level of 250.
    const mean = predictions.reduce((a, b) => a + b, 0) / 7;
    expect(mean).toBeGreaterThan(120);
    expect(mean).toBeLessThan(500);
  });

  it("continues the inputs of each series to the same end, without series that ended", async () => {
    const { table, days } = plantedPanel({ stores: 2, items: 2, days: 120 });
    const isKept = (row: number) => Math.floor(row / days) !== 3 || row % days < 80;
    const rows = Int32Array.from({ length: table.rowCount }, (_, row) => row).filter(isKept);
    const { model } = await fitted(takeRows(table, rows));
    const { table: inputs, forecasts } = generateInputs(model);
    const horizon = model.state.horizon!;
    expect(inputs.rowCount).toBe(3 * horizon);
    expect(inputs.columns.map(({ name }) => name)).toEqual(["date", "store", "item", "price"]);
    expect(forecasts.map(({ feature }) => feature)).toEqual(["price"]);
    const { predictions, warnings } = await model.predict(inputs);
    expect(predictions.every((value) => value > 0)).toBe(true);
    expect(warnings).toEqual([]);
  });

  it("learns and forecasts around one wrong value", async () => {
    const { table, days } = plantedPanel({ stores: 2, items: 3, days: 150 });
    const sales = table.columns.find(({ name }) => name === "sales")!;
    if (sales.type !== "number") throw new Error("no sales");
    const wrong = 3 * days + 140;
    const changed = sales.values.map((value, row) => (row === wrong ? 1_000 * value : value));
    const { model } = await fitted(table);
    const { model: spoilt, summary } = await fitted(withColumn(table, { ...sales, values: changed }));
    const rows = future(table, days, 14);
    const before = (await model.predict(rows)).predictions;
    const after = (await spoilt.predict(rows)).predictions;
    after.forEach((value, row) => {
      expect(Math.abs(value / before[row]! - 1)).toBeLessThan(0.25);
    });
    expect(summary.warnings).toMatchObject([{ code: "ignored_values", rows: 1 }]);
  });

  it("stores files that open to the same model, and rejects files that do not belong together", async () => {
    const { table, days } = plantedPanel({ stores: 3, items: 3, days: 200 });
    const { files, model } = await fitted(table);
    const learner = readStoredLearner(files.get("learner.json")!);
    if (learner.kind !== "panel") throw new Error("no panel");
    expect(learner.global).not.toBeNull();
    expect(readStoredLearner(writePanel(learner))).toEqual(learner);
    const rows = future(table, days, 5);
    const plain = predictorOf(model.plain()!)!;
    expect((await plain(rows)).predictions).toEqual((await model.predict(rows)).predictions);
    const changed = (change: Partial<typeof learner>) =>
      new Map(files).set("learner.json", writePanel({ ...learner, ...change }));
    expect(() => checkFiles(changed({ scales: learner.scales.subarray(1) }))).toThrow(
      "learner.json is wrong at scales",
    );
    expect(() => checkFiles(changed({ groups: learner.groups.map(() => 9) }))).toThrow("each needs a weight");
    const state = JSON.parse(new TextDecoder().decode(files.get("state.json")!)) as Record<string, unknown>;
    const single = new Map(files).set(
      "state.json",
      Buffer.from(JSON.stringify({ ...state, series: undefined })),
    );
    expect(() => checkFiles(single)).toThrow("needs series columns in state.json");
  });

  it("adds up to the same totals for any division of random panels", async () => {
    for (const seed of [1, 2, 3]) {
      const { table, days } = plantedPanel({ stores: 1 + seed, items: 2, days: 60 + 20 * seed, seed });
      const { model } = await fitted(table);
      const rows = future(table, days, 6);
      const random = seededRandom(seed);
      const isFirst = Array.from({ length: rows.rowCount }, () => random.next() < 0.5);
      const part = (first: boolean) =>
        takeRows(
          rows,
          Int32Array.from(isFirst.keys()).filter((row) => isFirst[row] === first),
        );
      const sumOf = async (some: Table) =>
        some.rowCount === 0 ? 0 : (await model.predict(some)).predictions.reduce((a, b) => a + b, 0);
      const whole = await sumOf(rows);
      expect(Math.abs((await sumOf(part(true))) + (await sumOf(part(false))) - whole)).toBeLessThan(
        1e-12 * whole,
      );
    }
  });

  it("reads predictions of upstream projects as inputs", async () => {
    const { table } = plantedPanel({ stores: 2, items: 2, days: 100 });
    const price = table.columns.find(({ name }) => name === "price")!;
    if (price.type !== "number") throw new Error("no price");
    const column = { ...price, name: "cost", values: price.values.map((value) => 0.5 * value) };
    const sourceProjectId = "6f1c1f7e-9a3b-4d0b-8f5a-2f6d1f0b7c11";
    const { files } = await fitModel({ table, ...INPUT, upstream: [{ column, sourceProjectId }] });
    checkFiles(files);
    const { upstream } = await loadModel(async (name) => files.get(name)!);
    expect(upstream).toEqual([{ feature: "cost", sourceProjectId }]);
  });

  it("rejects a time that a series has twice", async () => {
    const { table, days } = plantedPanel({ stores: 2, items: 2, days: 60 });
    const { model } = await fitted(table);
    const rows = future(table, days, 2);
    const { issues } = model.checkInput(concatTables([rows, sliceRows(rows, 3, 4)]));
    expect(issues).toMatchObject([{ row: 9, code: "timestamps_duplicate" }]);
    expect(issues[0]!.message).toContain('store "S0", item "I1"');
  });

  it("predicts short, ended, intermittent and constant series, and series without a price", async () => {
    const { table, days } = plantedPanel({ stores: 3, items: 2, days: 150 });
    const random = seededRandom(5);
    const sales = table.columns.find(({ name }) => name === "sales")!;
    const price = table.columns.find(({ name }) => name === "price")!;
    if (sales.type !== "number" || price.type !== "number") throw new Error("no numbers");
    const changed = sales.values.map((value, row) => {
      const series = Math.floor(row / days);
      if (series === 2) return random.next() < 0.8 ? 0 : Math.ceil(3 * random.next());
      if (series === 3) return 7;
      if (series === 4) return 0;
      return row === 10 ? 1e6 * value : value;
    });
    const prices = price.values.map((value, row) => (Math.floor(row / days) === 5 ? Number.NaN : value));
    const whole = withColumn(withColumn(table, { ...sales, values: changed }), { ...price, values: prices });
    // The first series has two rows, a gap of 30 days in the second.
    const isKept = (row: number) => {
      const [series, day] = [Math.floor(row / days), row % days];
      return series === 0 ? day >= days - 2 : !(series === 1 && day > 50 && day < 80);
    };
    const kept = takeRows(whole, Int32Array.from({ length: table.rowCount }, (_, row) => row).filter(isKept));
    const { model } = await fitted(kept);
    const rows = future(whole, days, 14);
    const { predictions, intervals } = await model.predict(rows, { include: { intervals: true } });
    const series = (at: number) => predictions.subarray(at * 14, at * 14 + 14);
    expect(predictions.every((value) => value >= 0 && Number.isFinite(value))).toBe(true);
    expect(intervals!.upper.every(Number.isFinite)).toBe(true);
    expect(series(3).every((value) => Math.abs(value - 7) < 2)).toBe(true);
    expect(Math.max(...series(4))).toBeLessThan(0.5);
    expect(series(1).reduce((a, b) => a + b, 0) / 14).toBeLessThan(200);
  });
});
