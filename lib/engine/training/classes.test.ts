import { describe, expect, it } from "vitest";
import type { Column, Table } from "#lib/contract/table";
import type { TrainModel } from "#lib/contract/train-model";
import { checkFiles } from "#lib/engine/inference/check-files";
import { loadModel } from "#lib/engine/inference/load-model";
import { predictorOf } from "#lib/engine/inference/plain-model";
import { logOddsOf, probabilityOf } from "#lib/engine/learners/log-odds";
import { seededRandom } from "#lib/engine/learners/seeded-random";
import { dropColumns, withColumn } from "#lib/engine/table/columns";
import { sliceRows } from "#lib/engine/table/rows";
import { fitModel } from "./fit-model.ts";

const ROWS = 1_000;
const random = seededRandom(7);
const visits = Float64Array.from({ length: ROWS }, () => random.below(20));
const price = Float64Array.from({ length: ROWS }, () => 5 + 20 * random.next());
const isMember = Float64Array.from({ length: ROWS }, () => random.below(2));
/** Whether a customer buys: known up to chance. */
const bought = visits.map((count, row) =>
  Number(
    random.next() < probabilityOf(0.3 * count - 0.2 * price[row]! + isMember[row]! * (count > 10 ? 2 : 0)),
  ),
);
const inputs: Column[] = [
  { name: "visits", type: "number", values: visits },
  { name: "price", type: "number", values: price },
  { name: "member", type: "boolean", values: isMember },
];
const texts = (...categories: string[]): Column => ({
  name: "buys",
  type: "category",
  categories,
  codes: Int32Array.from(bought, (value) => categories.indexOf(value === 1 ? "yes" : "no")),
});
const numbers: Column = { name: "buys", type: "number", values: bought };
const tableOf = (target: Column, ...more: Column[]): Table => ({
  rowCount: ROWS,
  columns: [target, ...more, ...inputs],
});

const trainOn = (table: Table, request: TrainModel = {}, timestamp: string | null = null) =>
  fitModel({ table, target: "buys", timestamp, request });
const open = ({ files }: Awaited<ReturnType<typeof trainOn>>) => loadModel(async (name) => files.get(name)!);

describe("a target of two classes", () => {
  it.each(["ridge", "gradient_boosting", "mean"] as const)(
    "gives calibrated probabilities of the second class, by %s",
    async (algorithm) => {
      const { summary } = await trainOn(tableOf(texts("yes", "no")), { algorithm });
      const { validation, baseline } = summary.trainingMetrics;
      expect(summary).toMatchObject({ targetMetric: "logLoss", classification: { classes: ["no", "yes"] } });
      expect(summary.primaryMetricValue).toBe(validation!.logLoss);
      expect(summary.leaderboard.at(-1)).toMatchObject({ name: "Baseline: base rate" });
      expect(summary.coverage).toBeNull();
      if (algorithm === "mean") expect(validation!.logLoss).toBeCloseTo(baseline!.logLoss!, 2);
      else expect(validation!.logLoss!).toBeLessThan(0.8 * baseline!.logLoss!);
      expect(validation!.calibrationError!).toBeLessThan(0.1);
    },
  );

  it("predicts the same from texts, booleans and requested numbers", async () => {
    const tables: [Table, TrainModel][] = [
      [tableOf(texts("no", "yes")), {}],
      [tableOf({ ...numbers, type: "boolean" }), {}],
      [tableOf(numbers), { task: "classification" }],
    ];
    const predictions: Float64Array[] = [];
    for (const [table, request] of tables) {
      const model = await open(await trainOn(table, { ...request, algorithm: "ridge" }));
      predictions.push((await model.predict(dropColumns(table, ["buys"]))).predictions);
    }
    expect(predictions[1]).toEqual(predictions[0]);
    expect(predictions[2]).toEqual(predictions[0]);
    expect(predictions[0]!.every((p) => p > 0 && p < 1)).toBe(true);
  });

  it("takes the last text in alphabetical order as the second class, in any case", async () => {
    const { summary } = await trainOn(
      tableOf({ ...texts("no", "yes"), categories: ["low", "High"] } as Column),
      {
        algorithm: "mean",
      },
    );
    expect(summary.classification!.classes).toEqual(["High", "low"]);
  });

  it.each(["ridge", "gradient_boosting"] as const)(
    "has contributions that add up to the log-odds, by %s",
    async (algorithm) => {
      const fitted = await trainOn(tableOf(texts("no", "yes")), {
        algorithm,
        hyperparameters: { rounds: 40 },
      });
      const model = await open(fitted);
      const rows = sliceRows(dropColumns(tableOf(numbers), ["buys"]), 0, 50);
      const { predictions, contributions, intervals } = await model.predict(rows, {
        include: { contributions: true, intervals: true },
      });
      expect(intervals).toBeUndefined();
      expect(contributions!.scale).toBe("log_odds");
      contributions!.values.forEach((values, row) => {
        const sum = values.reduce((part, value) => part + value, contributions!.baseValue);
        expect(sum).toBeCloseTo(logOddsOf(predictions[row]!), 6);
      });
      // Threads, and refits of the model, predict probabilities too.
      expect((await predictorOf(model.plain()!)!(rows)).predictions).toEqual(predictions);
      const members = await (await model.members())!.predict(rows, undefined);
      for (const one of members) expect(one.every((p) => p > 0 && p < 1)).toBe(true);
      expect(() => checkFiles(fitted.files)).not.toThrow();
    },
  );

  it("of a series neither looks back at the target nor needs its known values", async () => {
    const day: Column = { name: "day", type: "timestamp", values: visits.map((_, row) => row * 86_400_000) };
    const fitted = await trainOn(tableOf(texts("no", "yes"), day), {}, "day");
    expect(fitted.summary.featureEngineering).toMatchObject({ readsTarget: false });
    expect(fitted.summary.trainingMetrics.validation!.logLoss!).toBeLessThan(0.55);
    const model = await open(fitted);
    const table = tableOf(texts("no", "yes"), day);
    const rows = dropColumns(table, ["buys"]);
    expect((await model.predict(rows, { history: table })).predictions).toEqual(
      (await model.predict(rows)).predictions,
    );
  });

  it.each<[string, Column, TrainModel, RegExp]>([
    ["three texts", withThird(), {}, /numbers or two classes/],
    [
      "numbers other than 0 and 1",
      { ...numbers, values: visits },
      { task: "classification" },
      /^task: .*0 and 1/,
    ],
    ["a metric of numbers", texts("no", "yes"), { targetMetric: "rmse" }, /^targetMetric: .*logLoss/],
    ["lags", texts("no", "yes"), { features: { lags: [1] } }, /^features\.lags: /],
    ["a method of series", texts("no", "yes"), { algorithm: "ets" }, /^algorithm: .*gradient_boosting/],
    ["another loss", texts("no", "yes"), { hyperparameters: { loss: "absolute" } }, /log loss/],
    [
      "a metric of classes for numbers",
      { ...numbers, values: price },
      { targetMetric: "auc" },
      /^targetMetric: .*rmse/,
    ],
  ])("is rejected with %s", async (_, target, request, message) => {
    await expect(trainOn(tableOf(target), request)).rejects.toThrow(message);
  });

  it("chooses by a metric whose larger values are better", async () => {
    const { summary } = await trainOn(tableOf(texts("no", "yes")), { targetMetric: "auc" });
    const finalists = summary.leaderboard.filter(({ rung }) => rung === 3);
    const means = finalists.map(({ backTest }) => backTest!.mean!);
    expect(finalists[0]!.chosen).toBe(true);
    expect(means[0]).toBeGreaterThan(Math.max(...means) - 0.01);
    expect(means[0]).toBeGreaterThan(0.7);
  });

  it("stays uninformative if the inputs say nothing", async () => {
    const noise = withColumn(tableOf(texts("no", "yes")), {
      ...numbers,
      values: bought.map(() => random.below(2)),
    });
    const { trainingMetrics } = (await trainOn(noise, { task: "classification" })).summary;
    expect(trainingMetrics.validation!.logLoss!).toBeLessThan(trainingMetrics.baseline!.logLoss! + 0.02);
  });
});

function withThird(): Column {
  const column = texts("no", "yes", "maybe") as Extract<Column, { type: "category" }>;
  return { ...column, codes: column.codes.map((code, row) => (row % 3 === 0 ? 2 : code)) };
}
