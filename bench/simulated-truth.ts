import { argv } from "node:process";
import type { Column, Table } from "#lib/contract/table";
import type { TrainModel } from "#lib/contract/train-model";
import { generateInputs } from "#lib/engine/forecasting/generate-inputs";
import { loadModel } from "#lib/engine/inference/load-model";
import { differenceInterval } from "#lib/engine/intervals/difference-interval";
import { squaredWidths } from "#lib/engine/intervals/shape";
import { CellSums, cellsOf } from "#lib/engine/intervals/stored-totals";
import { sumBounds } from "#lib/engine/intervals/total-intervals";
import { numericValues, selectColumns } from "#lib/engine/table/columns";
import { sliceRows } from "#lib/engine/table/rows";
import { fitModel } from "#lib/engine/training/fit-model";
import { gaussian } from "#testing/gaussian";

// Observes the coverage of 90% intervals on simulated series, by family and kind of series:
// `node bench/simulated-truth.ts [runs] [families, or all] [first seed] [kinds, or all]`.

const DAY = 86_400_000;
const ROWS = 300;
const STEPS = 28;
const FAR = 280;
const EFFECT = 2;
const BUCKETS = [
  [1, 7],
  [8, 14],
  [15, 28],
  [29, 100],
  [101, 200],
  [201, FAR],
] as const;

const LAGS = { lags: [1, 7], rolling: [] };
const NO_LAGS = { lags: [], rolling: [] };
const LEVEL = { lags: [STEPS], rolling: [{ window: 7, shift: STEPS, statistic: "mean" as const }] };

/** Rows of the table. Trees get few rounds: the intervals count, not the errors. */
const FAMILIES: Record<string, TrainModel> = {
  ridge: { algorithm: "ridge", features: NO_LAGS },
  ridge_lags: { algorithm: "ridge", features: LAGS },
  elastic_net: { algorithm: "elastic_net", features: NO_LAGS },
  gradient_boosting: { algorithm: "gradient_boosting", features: NO_LAGS, hyperparameters: { rounds: 150 } },
  gradient_boosting_lags: {
    algorithm: "gradient_boosting",
    features: LAGS,
    hyperparameters: { rounds: 150 },
  },
  gradient_boosting_differences: {
    algorithm: "gradient_boosting",
    features: LEVEL,
    hyperparameters: { rounds: 150, targetTransform: "difference" },
  },
  combination: { algorithm: "combination" },
  ets: { algorithm: "ets" },
  theta: { algorithm: "theta" },
  arima: { algorithm: "arima" },
  stl_ets: { algorithm: "stl_ets" },
  seasonal_naive: { algorithm: "seasonal_naive" },
  drift: { algorithm: "drift" },
  tsb: { algorithm: "tsb" },
};

type Day = { x?: number; y: number };
type Kind = { days: (seed: number) => Day[]; suits: (family: string) => boolean };

const PAST_ONLY = ["seasonal_naive", "drift", "tsb"];
const INPUTS_ONLY = ["ridge", "elastic_net", "gradient_boosting"];
const KINDS: Record<string, Kind> = {
  effect: { days: (seed) => effectDays(seed, 0), suits: (family) => family !== "tsb" },
  "effect and trend": {
    days: (seed) => effectDays(seed, 0.02),
    suits: (family) => ![...PAST_ONLY, "gradient_boosting"].includes(family),
  },
  walk: { days: (seed) => walkDays(seed, 0), suits: (family) => ![...INPUTS_ONLY, "tsb"].includes(family) },
  "walk with drift": {
    days: (seed) => walkDays(seed, 0.1),
    suits: (family) => ![...INPUTS_ONLY, "tsb"].includes(family),
  },
  "line and noise": {
    days: lineDays,
    suits: (family) => !["gradient_boosting", "seasonal_naive", "tsb"].includes(family),
  },
  demand: { days: demandDays, suits: (family) => ["tsb", "combination"].includes(family) },
};

/** An input with a season and autocorrelated noise; a target with that effect, a season, a trend and such noise. */
function effectDays(seed: number, trend: number): Day[] {
  const noise = gaussian(seed);
  let [input, error] = [0, 0];
  return Array.from({ length: ROWS + FAR }, (_, day) => {
    input = 0.7 * input + noise();
    error = 0.5 * error + noise();
    const x = 20 + 3 * Math.sin((2 * Math.PI * day) / 7) + input;
    const season = 4 * Math.cos((2 * Math.PI * day) / 7);
    return { x, y: 100 + EFFECT * x + season + trend * day + error };
  });
}

/** A random walk whose drift differs between series. */
function walkDays(seed: number, spread: number): Day[] {
  const noise = gaussian(seed);
  const drift = spread * noise();
  let y = 1_000;
  return Array.from({ length: ROWS + FAR }, () => {
    y += drift + noise();
    return { y };
  });
}

function lineDays(seed: number): Day[] {
  const noise = gaussian(seed);
  const slope = 0.02 * noise();
  return Array.from({ length: ROWS + FAR }, (_, day) => ({ y: 1_000 + slope * day + noise() }));
}

function demandDays(seed: number): Day[] {
  const noise = gaussian(seed);
  return Array.from({ length: ROWS + FAR }, () => ({ y: noise() > 0.3 ? Math.exp(1 + 0.5 * noise()) : 0 }));
}

function tableOf(days: readonly Day[]): Table {
  const values = (of: (day: Day, at: number) => number) => Float64Array.from(days, of);
  const columns: Column[] = [
    { name: "time", type: "timestamp", values: values((_, day) => day * DAY) },
    ...(days[0]!.x === undefined
      ? []
      : [{ name: "x", type: "number" as const, values: values(({ x }) => x!) }]),
    { name: "y", type: "number", values: values(({ y }) => y) },
  ];
  return { rowCount: days.length, columns };
}

/** Counts values and those inside their intervals, by column. */
class Tally {
  readonly #counts = new Map<string, { inside: number; count: number }>();

  observe(column: string, isInside: boolean): void {
    const one = this.#counts.get(column) ?? { inside: 0, count: 0 };
    this.#counts.set(column, { inside: one.inside + Number(isInside), count: one.count + 1 });
  }

  text(column: string): string {
    const one = this.#counts.get(column);
    return one ? (one.inside / one.count).toFixed(3) : "–";
  }
}

const sumOf = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0);
const bucketText = ([from, to]: readonly [number, number]) => `${from}–${to}`;

async function run(request: TrainModel, days: readonly Day[], tally: Tally): Promise<void> {
  const all = tableOf(days);
  const { files } = await fitModel({
    table: sliceRows(all, 0, ROWS),
    target: "y",
    timestamp: "time",
    request: { ...request, horizon: STEPS },
  });
  const model = await loadModel(async (name) => files.get(name)!);
  const future = sliceRows(all, ROWS);
  const actual = numericValues(future, "y");
  const inputs = selectColumns(
    future,
    future.columns.map(({ name }) => name).filter((name) => name !== "y"),
  );
  const predict = async (rows: Table, prefix: string, generated: readonly string[]) => {
    const { predictions, intervals } = await model.predict(rows, {
      generated,
      include: { intervals: true },
    });
    const { lower, upper, shape } = intervals!;
    for (const bucket of BUCKETS)
      for (let step = bucket[0]; step <= Math.min(bucket[1], rows.rowCount); step++)
        tally.observe(
          prefix + bucketText(bucket),
          actual[step - 1]! >= lower[step - 1]! && actual[step - 1]! <= upper[step - 1]!,
        );
    const first = <T extends Float64Array>(values: T) => values.subarray(0, STEPS);
    const squares = sumOf(squaredWidths(first(predictions), first(upper)));
    const bounds = sumBounds(
      { sum: sumOf(first(predictions)), count: STEPS, squaredWidths: squares },
      shape ?? null,
    );
    const total = sumOf(first(actual));
    tally.observe(`${prefix}sum`, bounds !== null && total >= bounds.lower && total <= bounds.upper);
  };
  await predict(inputs, "", []);
  if (days[0]!.x !== undefined) {
    const generated = generateInputs({ ...model }).table;
    await predict(generated, "generated ", ["x"]);
    await observeDifference(model, generated, tally);
  }
}

async function observeDifference(
  model: Awaited<ReturnType<typeof loadModel>>,
  generated: Table,
  tally: Tally,
): Promise<void> {
  const members = await model.members();
  if (members === null) return;
  const raised = {
    ...generated,
    columns: generated.columns.map(
      (column): Column =>
        column.name === "x" && column.type === "number"
          ? { ...column, values: column.values.map((value) => value + 1) }
          : column,
    ),
  };
  const side = async (rows: Table) => {
    const cells = cellsOf(STEPS);
    const sums = (await members.predict(rows, undefined)).map((values) => {
      const own = new CellSums(cells);
      own.add(values);
      return own.prefix;
    });
    const { predictions } = await model.predict(rows);
    return {
      sum: sumOf(predictions),
      side: { totals: { ...cells, squares: null, members: sums }, rows: { from: 0, to: STEPS } },
    };
  };
  const [before, after] = [await side(generated), await side(raised)];
  const found = differenceInterval(after.sum - before.sum, after.side, before.side)!;
  const { lower, upper } = found.totalDifferenceInterval;
  tally.observe("difference", EFFECT * STEPS >= lower! && EFFECT * STEPS <= upper!);
}

const chosen = (text: string | undefined, all: Record<string, unknown>) =>
  text === undefined || text === "all" ? Object.keys(all) : text.split(",");

const [runs, first] = [Number(argv[2] ?? 20), Number(argv[4] ?? 1)];
const columns = [
  ...[...BUCKETS.map(bucketText), "sum"],
  ...[...BUCKETS.slice(0, 3).map(bucketText), "sum"].map((column) => `generated ${column}`),
  "difference",
];
console.log(
  `${runs} runs from seed ${first}: coverage of 90% intervals by steps ahead, and of the sum of ${STEPS}`,
);
console.log(`| series | family | ${columns.join(" | ")} |`);
console.log(`| --- | --- |${" --- |".repeat(columns.length)}`);
for (const kind of chosen(argv[5], KINDS)) {
  const { days, suits } = KINDS[kind]!;
  for (const family of chosen(argv[3], FAMILIES).filter(suits)) {
    const tally = new Tally();
    for (let seed = first; seed < first + runs; seed++) await run(FAMILIES[family]!, days(seed), tally);
    console.log(`| ${kind} | ${family} | ${columns.map((column) => tally.text(column)).join(" | ")} |`);
  }
}
