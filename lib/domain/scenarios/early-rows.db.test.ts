import { expect, it } from "vitest";
import type { TrainModel } from "#lib/contract/train-model";
import { appendRows } from "#lib/domain/datasets/append-rows";
import { putDataset } from "#lib/domain/datasets/put-dataset";
import { testContext } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import {
  base64,
  createScenario,
  createTrainedProject,
  postScenario,
  type TrainedProject,
  train,
} from "#testing/scenario-factory";

// Rows of an input before the first step of an upstream project's series have no prediction of it.

await createTestDatabase();
const FIRST = 60;
const DAYS = 240;
const day = (at: number) => new Date(Date.UTC(2024, 0, 1 + at)).toISOString().slice(0, 10);
const wind = (region: string, at: number) => ((at * 7) % 13) + (region === "south" ? 20 : 0) + Math.sin(at);
const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);
const request: TrainModel = { algorithm: "ridge", features: { lags: [], calendar: false } };

const powerOf = (region: string, from: number, to: number) =>
  range(from, to).map((at) => `${day(at)},${region},${wind(region, at)},${3 * wind(region, at) + (at % 2)}`);
const priceOf = (region: string, from: number) =>
  range(from, DAYS).map((at) => `${day(at)},${region},${at % 5},${2 * (at % 5) - wind(region, at)}`);

/** Creates a project of prices that begin `from` days after the first, with predictions of a project that begins on day 60. */
async function createPair(
  regions: readonly string[],
  from: number,
): Promise<Record<"power" | "price", TrainedProject>> {
  const series = regions.length > 1 ? { series: ["region"] } : {};
  const power = await createTrainedProject({
    csv: ["day,region,wind,power", ...regions.flatMap((one) => powerOf(one, FIRST, DAYS))].join("\n"),
    target: "power",
    timestamp: "day",
    ...(regions.length > 1 ? { request: {} } : { request, exclude: ["region"] }),
    ...series,
  });
  const price = await createTrainedProject({
    csv: ["day,region,load,price", ...regions.flatMap((one) => priceOf(one, from))].join("\n"),
    target: "price",
    timestamp: "day",
    dependencies: [{ projectId: power.projectId, featureName: "power" }],
    ...(regions.length > 1 ? { request: {} } : { request, exclude: ["region"] }),
    ...series,
  });
  return { power, price };
}

const pins = ({ projectId }: TrainedProject) => ({ dependentProjectCheckpoints: { [projectId]: null } });

it("are rejected in the request, also if a newer upstream model begins later", async () => {
  const { power, price } = await createPair(["north"], FIRST + 100);
  const file = (from: number) => ({ fileData: base64(`day,load\n${day(from)},1\n${day(from + 1)},2\n`) });
  const requireRejection = async (body: object, at: number) => {
    const { status, error } = await postScenario(price, { ...pins(power), ...body });
    expect([status, error?.code]).toEqual([400, "input_invalid"]);
    expect(error?.details).toMatchObject([{ column: "power", code: "missing_column" }]);
    expect(error?.message).toContain(`row 1, at ${day(at)}T00:00:00.000Z, is before the first known row`);
  };
  await requireRejection(file(FIRST - 1), FIRST - 1);
  const { id: baseScenarioId } = await createScenario(price, { ...pins(power), ...file(FIRST) });
  await putDataset(testContext(), {
    projectId: power.projectId,
    fileData: base64(["day,region,wind,power", ...powerOf("north", DAYS + 5, DAYS + 60)].join("\n")),
    target: "power",
    timestamp: "day",
    exclude: ["region"],
  });
  await train(power.projectId, request);
  await requireRejection({ baseScenarioId }, FIRST);
  await requireRejection({ endDate: day(DAYS + 10) }, DAYS);
  await createScenario(price, { ...pins(power), ...file(DAYS + 5) });
}, 120_000);

it("are accepted if the model allows missing predictions", async () => {
  const { power, price } = await createPair(["north"], FIRST - 20);
  const fileData = base64(`day,load\n${day(FIRST - 1)},1\n${day(FIRST)},2\n`);
  await createScenario(price, { ...pins(power), fileData });
}, 120_000);

it("of many series are those before the first step of their own, or of an unknown series", async () => {
  const { power, price } = await createPair(["north", "south"], FIRST);
  const file = (region: string, at: number) =>
    base64(`day,region,load\n${day(FIRST)},south,1\n${day(at)},${region},1\n`);
  for (const [region, at] of [
    ["south", FIRST - 1],
    ["west", FIRST + 1],
  ] as const) {
    const { status, error } = await postScenario(price, { ...pins(power), fileData: file(region, at) });
    expect([region, status, error?.code]).toEqual([region, 400, "input_invalid"]);
    expect(error?.message).toContain("row 2");
  }
  const west = `day,region,wind,power\n${powerOf("west", FIRST, DAYS).join("\n")}\n`;
  await appendRows(testContext(), { projectId: power.projectId, fileData: base64(west) });
  await createScenario(price, { ...pins(power), fileData: file("west", FIRST + 1) });
}, 120_000);
