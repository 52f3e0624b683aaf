import { expect, test } from "vitest";
import type { ScenarioRows } from "#lib/contract/scenario-rows";
import type { TrainModel } from "#lib/contract/train-model";
import { callRoute } from "#testing/api";
import { gaussian } from "#testing/gaussian";
import { createTestDatabase } from "#testing/postgres";
import { base64, createScenario, createTrainedProject } from "#testing/scenario-factory";
import { GET as rowsRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/rows/route.ts";

await createTestDatabase();

/** Number of simulated series, their first seed and the algorithm of all models. More runs measure the coverage. */
const RUNS = Number(process.env.COVERAGE_RUNS ?? 6);
const FIRST_SEED = Number(process.env.COVERAGE_SEED ?? 1);
const algorithm = (process.env.COVERAGE_ALGORITHM ?? "ridge") as NonNullable<TrainModel["algorithm"]>;

const DAYS = 200;
const HORIZON = 28;
const BUCKETS = [
  [1, 7],
  [8, 14],
  [15, 28],
] as const;
const isoDay = (day: number) => new Date(Date.UTC(2023, 0, 1 + day)).toISOString().slice(0, 10);

/**
 * Simulates the targets of two upstream projects and of one that uses their predictions. Each depends on an input with a season and
 * autocorrelated noise, has an own season, and errs by autocorrelated noise.
 */
function simulate(seed: number) {
  const noise = gaussian(seed);
  const steps = Array.from({ length: 3 }, () => ({ input: 0, error: 0 }));
  return Array.from({ length: DAYS + HORIZON }, (_, day) => {
    const turn = (2 * Math.PI * day) / 7;
    const [wind, heat, price] = steps.map((state, at) => {
      state.input = 0.7 * state.input + noise();
      state.error = 0.5 * state.error + noise();
      return { input: 20 + 3 * Math.sin(turn + at) + state.input, error: state.error };
    }) as [Step, Step, Step];
    const power = 50 + 2 * wind.input + 4 * Math.cos(turn) + wind.error;
    const load = 80 + 1.5 * heat.input + 3 * Math.sin(turn) + heat.error;
    const cost = 100 + 1.5 * power + load + 2 * price.input + 2 * price.error;
    return { day, wind: wind.input, heat: heat.input, price: price.input, power, load, cost };
  });
}
type Step = { input: number; error: number };
type Day = ReturnType<typeof simulate>[number];

function csvOf(days: readonly Day[], names: readonly Exclude<keyof Day, "day">[]): string {
  const lines = days.map((one) => [isoDay(one.day), ...names.map((name) => one[name].toFixed(4))].join());
  return [["day", ...names].join(), ...lines].join("\n");
}

/** Trains a project's model of the target `names.at(-1)` on the other columns. */
const trainOn = (
  days: readonly Day[],
  names: readonly Exclude<keyof Day, "day">[],
  dependencies: { projectId: string; featureName: string }[] = [],
) =>
  createTrainedProject({
    csv: csvOf(days, names),
    target: names.at(-1)!,
    timestamp: "day",
    request: { algorithm, horizon: HORIZON, features: { lags: [] } },
    dependencies,
  });

/** Trains the models of a simulation. */
async function trainAll(seed: number) {
  const days = simulate(seed);
  const known = days.slice(0, DAYS);
  const power = await trainOn(known, ["wind", "power"]);
  const load = await trainOn(known, ["heat", "load"]);
  const cost = await trainOn(
    known,
    ["price", "cost"],
    [
      { projectId: power.projectId, featureName: "power" },
      { projectId: load.projectId, featureName: "load" },
    ],
  );
  return { days, power, load, cost };
}

/** The tests share the models, because training takes most of the time. */
const trained = new Map<number, ReturnType<typeof trainAll>>();

/** Returns whether each step, and the sum, lie inside of the 90% intervals of a scenario. */
async function observe(
  seed: number,
  inputs: "generated" | "given",
): Promise<{ steps: boolean[]; sum: boolean }> {
  const training = trained.get(seed) ?? trainAll(seed);
  trained.set(seed, training);
  const { days, power, load, cost } = await training;
  const { id, summary } = await createScenario(cost, {
    dependentProjectCheckpoints: { [power.projectId]: null, [load.projectId]: null },
    ...(inputs === "given" && { fileData: base64(csvOf(days.slice(DAYS), ["price"])) }),
  });
  const { data } = await callRoute<ScenarioRows>(rowsRoute, {
    params: { projectId: cost.projectId, scenarioId: id },
    as: cost.as,
    query: { limit: "100" },
  });
  const actual = days.slice(DAYS).map((one) => one.cost);
  expect(data.rows).toHaveLength(HORIZON);
  const isInside = (value: number, { lower, upper }: { lower: number; upper: number }) =>
    lower <= value && value <= upper;
  return {
    steps: data.rows.map((row, at) => isInside(actual[at]!, { lower: row.lower!, upper: row.upper! })),
    sum: isInside(
      actual.reduce((sum, value) => sum + value, 0),
      summary!.sumInterval as { lower: number; upper: number },
    ),
  };
}

test.each(["generated", "given"] as const)(
  "intervals of level 0.9 cover %s inputs and predictions of two upstream projects",
  {
    timeout: RUNS * 60_000,
  },
  async (inputs) => {
    const observed: Awaited<ReturnType<typeof observe>>[] = [];
    for (let seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed++) observed.push(await observe(seed, inputs));
    const share = (flags: readonly boolean[]) => flags.filter(Boolean).length / flags.length;
    const byBucket = BUCKETS.map(([from, to]) =>
      share(observed.flatMap(({ steps }) => steps.slice(from - 1, to))),
    );
    if (process.env.COVERAGE_RUNS !== undefined)
      console.log(
        `${RUNS} runs of ${algorithm}, ${inputs} inputs: steps ${byBucket.map((one) => one.toFixed(3)).join(", ")}; sum ${share(observed.map(({ sum }) => sum)).toFixed(3)}`,
      );
    // Six series of 28 dependent steps have a standard error of about 5 points.
    expect(share(observed.flatMap(({ steps }) => steps))).toBeGreaterThan(0.87);
  },
);

test("intervals of a model without own inputs include the errors of upstream predictions", async () => {
  const days = simulate(1).slice(0, DAYS);
  const power = await trainOn(days, ["wind", "power"]);
  const cost = await trainOn(days, ["cost"], [{ projectId: power.projectId, featureName: "power" }]);
  const { summary } = await createScenario(cost, {
    dependentProjectCheckpoints: { [power.projectId]: null },
  });
  expect(summary!.generatedShare!).toBeGreaterThan(0.05);
});
