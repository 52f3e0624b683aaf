import { expect, test } from "vitest";
import { gaussian } from "#testing/gaussian";
import { createTestDatabase } from "#testing/postgres";
import { base64, createScenario, createTrainedProject } from "#testing/scenario-factory";

await createTestDatabase();

const HORIZON = 14;
const noise = gaussian(3);
let price = 50;
const lines = Array.from({ length: 300 }, (_, at) => {
  price += noise();
  const date = new Date(Date.UTC(2023, 0, 1 + at)).toISOString().slice(0, 10);
  return `${date},${price.toFixed(4)},${(100 + 5 * price + noise()).toFixed(4)}`;
});
const project = await createTrainedProject({
  csv: `date,price,demand\n${lines.join("\n")}\n`,
  target: "demand",
  timestamp: "date",
  request: { algorithm: "ridge", horizon: HORIZON, features: { lags: [] } },
});
const ahead = Array.from({ length: HORIZON }, (_, at) =>
  new Date(Date.UTC(2023, 0, 301 + at)).toISOString().slice(0, 10),
);
const widthOf = ({ summary }: Awaited<ReturnType<typeof createScenario>>) =>
  summary!.sumInterval!.upper! - summary!.sum!;

const generated = await createScenario(project, {});
const fileData = base64(`date,price\n${ahead.map((date) => `${date},50`).join("\n")}\n`);
const uploaded = await createScenario(project, { fileData });

test("a generated input widens the intervals, and the summary gives its share of their variance", () => {
  expect(generated.summary!.generatedShare!).toBeGreaterThan(0.5);
  expect(uploaded.summary!.generatedShare).toBeNull();
  expect(widthOf(generated)).toBeGreaterThan(2 * widthOf(uploaded));
});

test("a what-if keeps generated inputs, unless it sets all of their values", async () => {
  const adjusted = (adjustment: object) =>
    createScenario(project, {
      baseScenarioId: generated.id,
      adjustments: [{ feature: "price", ...adjustment }],
    });
  const raised = await adjusted({ operation: "add", value: 1 });
  // Widths depend a little on the values of a row.
  expect(widthOf(raised) / widthOf(generated)).toBeCloseTo(1, 1);
  expect(raised.summary!.generatedShare!).toBeGreaterThan(0.5);
  const partly = await adjusted({ operation: "set", value: 50, to: ahead[3] });
  expect(partly.summary!.generatedShare!).toBeGreaterThan(0.5);
  const set = await adjusted({ operation: "set", value: 50 });
  expect(set.summary!.generatedShare).toBeNull();
  expect(widthOf(set)).toBeCloseTo(widthOf(uploaded), 6);
});
