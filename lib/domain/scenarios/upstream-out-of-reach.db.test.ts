import { expect, it } from "vitest";
import { appendRows } from "#lib/domain/datasets/append-rows";
import { callRoute, testContext } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import {
  base64,
  createScenario,
  createTrainedProject,
  postScenario,
  type TrainedProject,
} from "#testing/scenario-factory";
import { POST as predictRoute } from "../../../app/api/v1/projects/[projectId]/predict/route.ts";
import { GET as contributionsRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/predictions/contributions/route.ts";

await createTestDatabase();

const days = Array.from({ length: 120 }, (_, at) => at);
const dayOf = (at: number) => new Date(Date.UTC(2024, 0, 1 + at)).toISOString().slice(0, 10);
const wind = (at: number) => ((at * 7) % 13) + Math.sin(at);

/** @param times text of the day's time, such as `T07:30` */
const createPower = (rows: readonly number[], times: (at: number) => string) =>
  createTrainedProject({
    csv: `day,wind,power\n${rows.map((at) => `${dayOf(at)}${times(at)},${wind(at)},${3 * wind(at) + (at % 2)}`).join("\n")}\n`,
    target: "power",
    timestamp: "day",
    request: { algorithm: "ridge", features: { lags: [], calendar: false } },
  });

const priceCsv = (rows: readonly number[]) =>
  `day,load,price\n${rows.map((at) => `${dayOf(at)},${at % 5},${2 * (at % 5) - wind(at)}`).join("\n")}\n`;

const createPrice = ({ projectId }: TrainedProject) =>
  createTrainedProject({
    csv: priceCsv(days),
    target: "price",
    timestamp: "day",
    dependencies: [{ projectId, featureName: "predicted_power" }],
    request: { algorithm: "ridge", features: { lags: [1], calendar: false } },
  });

it("rejects a request if newer known rows need the predictions of an upstream project without a regular step", async () => {
  const irregular = days.filter((at) => at === 119 || (at * at) % 7 < 3);
  const power = await createPower(irregular, (at) => `T0${at % 7}:${10 + ((at * 17) % 50)}`);
  const price = await createPrice(power);
  const { projectId, as } = price;
  const sent = `day,load,predicted_power\n${dayOf(120)},1,5\n${dayOf(121)},2,6\n`;
  const { id } = await createScenario(price, {
    fileData: base64(sent),
    dependentProjectCheckpoints: { [power.projectId]: null },
  });
  const predict = () =>
    callRoute(predictRoute, {
      params: { projectId },
      as,
      body: { input: { day: [dayOf(123)], load: [1], predicted_power: [5] } },
    });
  const contributions = () =>
    callRoute(contributionsRoute, { params: { projectId, scenarioId: id }, as, query: { rows: "1,2" } });
  const [predicted, explained] = [await predict(), await contributions()];
  expect([predicted.status, explained.status]).toEqual([200, 200]);

  await appendRows(testContext(), { projectId, fileData: base64(priceCsv([120, 121, 122])) });
  const { status, error } = await predict();
  expect([status, error?.code]).toEqual([400, "input_invalid"]);
  expect(error?.details).toMatchObject([{ column: "power", code: "missing_column" }]);
  expect(error?.message).toContain("Append newer rows to the upstream project.");
  // The scenario knew none of the newer rows.
  expect((await contributions()).data).toEqual(explained.data);
});

it("names the upstream feature for a row of a CSV too far after the last known row of its project", async () => {
  const power = await createPower(days, () => "");
  const price = await createPrice(power);
  const { status, error } = await postScenario(price, {
    fileData: base64("day,load\n3000-01-01,1\n"),
    dependentProjectCheckpoints: { [power.projectId]: null },
  });
  expect([status, error?.code]).toEqual([400, "input_invalid"]);
  expect(error?.details).toMatchObject([{ column: "predicted_power", code: "missing_column" }]);
  expect(error?.message).toContain("3000-01-01");
});
