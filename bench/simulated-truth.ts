import { argv } from "node:process";
import type { Column, Table } from "#lib/contract/table";
import { generateInputs } from "#lib/engine/forecasting/generate-inputs";
import { loadModel } from "#lib/engine/inference/load-model";
import { differenceInterval } from "#lib/engine/intervals/difference-interval";
import { squaredWidths } from "#lib/engine/intervals/shape";
import { CellSums, cellsOf } from "#lib/engine/intervals/stored-totals";
import { sumBounds } from "#lib/engine/intervals/total-intervals";
import { numericValues } from "#lib/engine/table/columns";
import { fitModel } from "#lib/engine/training/fit-model";
import type { TrainRequest } from "#lib/engine/training/train-request";
import { gaussian } from "#testing/gaussian";

// Observes the coverage of 90% intervals on simulated series with known effects:
// `node bench/simulated-truth.ts [runs] [algorithm] [first seed]`.

const DAY = 86_400_000;
const ROWS = 300;
const STEPS = 28;
const EFFECT = 2;
const BUCKETS = [
  [1, 7],
  [8, 14],
  [15, 28],
] as const;

const [runs, algorithm, first] = [Number(argv[2] ?? 200), argv[3] ?? "ridge", Number(argv[4] ?? 1)];
const requests: Record<string, TrainRequest> = {
  ridge: { algorithm: "ridge", horizon: STEPS, features: { lags: [], rolling: [] } },
  ridge_lags: { algorithm: "ridge", horizon: STEPS, features: { lags: [1, 7], rolling: [] } },
  gradient_boosting: { algorithm: "gradient_boosting", horizon: STEPS, features: { lags: [], rolling: [] } },
  combination: { algorithm: "combination", horizon: STEPS },
};

/** Days of an input with a season and autocorrelated noise, and of a target with that effect, a season and a trend. */
function simulate(seed: number): { table: Table; future: Table } {
  const noise = gaussian(seed);
  let [input, error] = [0, 0];
  const days = Array.from({ length: ROWS + STEPS }, (_, day) => {
    input = 0.7 * input + noise();
    error = 0.5 * error + noise();
    const x = 20 + 3 * Math.sin((2 * Math.PI * day) / 7) + input;
    const season = 4 * Math.cos((2 * Math.PI * day) / 7);
    const trend = algorithm === "combination" || algorithm === "ridge_lags" ? 0.02 * day : 0;
    return { x, y: 100 + EFFECT * x + season + trend + error };
  });
  const part = (from: number, to: number): Table => {
    const column = (name: string, of: (at: number) => number): Column => ({
      ...{ name, type: name === "time" ? "timestamp" : "number" },
      values: Float64Array.from({ length: to - from }, (_, i) => of(from + i)),
    });
    const columns = [
      column("time", (day) => day * DAY),
      column("x", (day) => days[day]!.x),
      column("y", (day) => days[day]!.y),
    ];
    return { rowCount: to - from, columns };
  };
  return { table: part(0, ROWS), future: part(ROWS, ROWS + STEPS) };
}

const tally = new Map<string, { inside: number; count: number }>();
function observe(what: string, isInside: boolean): void {
  const one = tally.get(what) ?? { inside: 0, count: 0 };
  tally.set(what, { inside: one.inside + Number(isInside), count: one.count + 1 });
}

const sumOf = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0);

async function run(seed: number): Promise<void> {
  const { table, future } = simulate(seed);
  const request = requests[algorithm];
  if (!request) throw new Error(`Choose an algorithm among ${Object.keys(requests).join(", ")}.`);
  const { files } = await fitModel({ table, target: "y", timestamp: "time", request });
  const model = await loadModel(async (name) => files.get(name)!);
  const actual = numericValues(future, "y");
  const inputs = (of: Table): Table => ({ ...of, columns: of.columns.filter(({ name }) => name !== "y") });
  const generated = generateInputs({ ...model }).table;
  for (const [kind, rows] of [
    ["given", inputs(future)],
    ["generated", generated],
  ] as const) {
    const { predictions, intervals } = await model.predict(rows, {
      ...{ areInputsGenerated: kind === "generated", include: { intervals: true } },
    });
    const { lower, upper, shape } = intervals!;
    for (const [from, to] of BUCKETS)
      for (let step = from; step <= to; step++)
        observe(
          `${kind} inputs, steps ${from}–${to}`,
          actual[step - 1]! >= lower[step - 1]! && actual[step - 1]! <= upper[step - 1]!,
        );
    const squares = sumOf(squaredWidths(predictions, upper));
    const bounds = sumBounds({ sum: sumOf(predictions), count: STEPS, squares }, shape ?? null);
    const total = sumOf(actual);
    observe(`${kind} inputs, sum`, bounds !== null && total >= bounds.lower && total <= bounds.upper);
  }
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
  observe("difference of two what-ifs", EFFECT * STEPS >= lower! && EFFECT * STEPS <= upper!);
}

for (let seed = first; seed < first + runs; seed++) await run(seed);
console.log(`${runs} runs of ${algorithm}: coverage of 90% intervals`);
for (const [what, { inside, count }] of tally)
  console.log(`  ${what}: ${(inside / count).toFixed(3)} of ${count}`);
