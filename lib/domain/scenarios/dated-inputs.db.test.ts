import { beforeAll, describe, expect, test } from "vitest";
import type { DateRule } from "#lib/contract/date-rule";
import type { GeneratedInputs } from "#lib/contract/generated-inputs";
import type { Model } from "#lib/contract/models";
import type { Prediction } from "#lib/contract/predictions";
import type { Scenario, ScenarioValidation } from "#lib/contract/scenarios";
import { getDataset } from "#lib/domain/datasets/get-dataset";
import { parseCsv } from "#lib/engine/csv/parse";
import { publicHolidays } from "#lib/engine/features/holiday-days";
import { callRoute, testContext } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { base64, createScenario, createTrainedProject, type TrainedProject } from "#testing/scenario-factory";
import { GET as modelRoute } from "../../../app/api/v1/projects/[projectId]/models/current/route.ts";
import { POST as predictRoute } from "../../../app/api/v1/projects/[projectId]/predict/route.ts";
import { GET as generatedRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/generated-inputs/route.ts";
import { GET as predictionsRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/predictions/route.ts";
import { GET as templateRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/template/route.ts";
import { POST as validateRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/validate/route.ts";

await createTestDatabase();

const DAY_MS = 86_400_000;
const START = Date.UTC(2022, 11, 1);
/** The last known day is 20 December 2024. */
const DAYS = 751;
const seasons = ["winter", "spring", "summer", "autumn"];
const holidays = new Set(
  await publicHolidays({ country: "US" }, Float64Array.of(START, START + DAYS * DAY_MS), "UTC"),
);

/** A day as its columns. The price does not follow from the date. */
function dayOf(at: number) {
  const date = new Date(START + at * DAY_MS);
  const weekday = date.getUTCDay();
  const month = date.getUTCMonth() + 1;
  const isHoliday = holidays.has(date.getTime() / DAY_MS);
  const working = weekday > 0 && weekday < 6 && !isHoliday;
  const season = seasons[Math.floor((month % 12) / 3)]!;
  const price = 10 + ((at * 7919) % 97) / 10;
  const demand = 100 + 10 * month - 5 * price + (working ? 40 : 0);
  return { date: date.toISOString().slice(0, 10), month, weekday, season, working, price, demand };
}

type Day = ReturnType<typeof dayOf>;
const inputs = ["date", "month", "weekday", "season", "working", "price"] as const;
const csvOf = (days: readonly Day[], names: readonly (keyof Day)[]) =>
  `${names.join(",")}\n${days.map((day) => names.map((name) => day[name]).join(",")).join("\n")}\n`;
const known = Array.from({ length: DAYS }, (_, at) => dayOf(at));
const later = Array.from({ length: 30 }, (_, at) => dayOf(DAYS + at));

let project: TrainedProject;
let scenario: Scenario;

beforeAll(async () => {
  project = await createTrainedProject({
    csv: csvOf(known, [...inputs, "demand"]),
    target: "demand",
    timestamp: "date",
    request: { algorithm: "ridge", features: { lags: [], calendar: false, holidays: { country: "US" } } },
  });
  scenario = await createScenario(project, { endDate: "2025-01-19" });
});

const call = <T>(route: Parameters<typeof callRoute>[0], options: Record<string, unknown> = {}) => {
  const { params = {}, ...rest } = options as { params?: Record<string, string> };
  return callRoute<T>(route, {
    params: { projectId: project.projectId, ...params },
    as: project.as,
    ...rest,
  });
};

describe("columns that follow from the date", () => {
  test("are stated in the dataset's profile, without the holidays that only trainings know", async () => {
    const { columns } = await getDataset(testContext(), { projectId: project.projectId });
    const parts = columns.flatMap(({ name, dateRule }) => (dateRule ? [[name, dateRule.part]] : []));
    expect(parts).toEqual([
      ["month", "month"],
      ["weekday", "weekday"],
      ["season", "month"],
    ]);
  });

  test("are stated in the model's features", async () => {
    const { inputFeatures } = (await call<Model>(modelRoute)).data;
    const ruleOf = (name: string): DateRule | undefined =>
      inputFeatures.find((feature) => feature.name === name)!.dateRule;
    expect(ruleOf("month")).toEqual({ part: "month", timezone: "UTC", offset: 0 });
    expect(ruleOf("season")!.values![0]).toEqual({ from: 1, value: "winter" });
    expect(ruleOf("working")).toMatchObject({ part: "weekdayAndHoliday", holidays: { country: "US" } });
    expect(ruleOf("price")).toBeUndefined();
    const codes = inputFeatures.flatMap(({ name, codes }) => (codes ? [[name, codes]] : []));
    expect(codes).toEqual([
      ["month", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]],
      ["weekday", [0, 1, 2, 3, 4, 5, 6]],
    ]);
  });

  test("follow the date in generated input, so that New Year is no working day", async () => {
    const { text } = await call(predictionsRoute, {
      params: { scenarioId: scenario.id },
      headers: { accept: "text/csv" },
    });
    const { table } = parseCsv(text);
    for (const name of ["month", "weekday", "season", "working"] as const) {
      const column = table.columns.find((one) => one.name === name)!;
      const values =
        column.type === "category"
          ? Array.from(column.codes, (code) => column.categories[code])
          : Array.from(column.values);
      expect(values, name).toEqual(later.map((day) => (name === "working" ? Number(day[name]) : day[name])));
    }
  });

  test("are no forecasts: they have no error and no warning, and do not widen the intervals", async () => {
    const { features } = (
      await call<GeneratedInputs>(generatedRoute, { params: { scenarioId: scenario.id } })
    ).data;
    const exact = features.filter(({ followsDate }) => followsDate).map(({ feature }) => feature);
    expect(exact).toEqual(["month", "weekday", "season", "working"]);
    expect(features.find(({ feature }) => feature === "working")).toMatchObject({
      method: "follows the date: day of week and public holidays (US)",
      error: 0,
    });
    const warned = scenario.warnings.filter(({ code }) => code === "generated_input");
    expect(warned.map(({ column }) => column)).toEqual(["price"]);
  });

  test("are those of the date in the template of a file", async () => {
    const { text } = await call(templateRoute);
    expect(text.split("\r\n")[1]).toMatch(/^2024-12-21T00:00:00\.000Z,12,6,winter,false,/);
    expect(await validate(text)).toMatchObject({ valid: true, warnings: [] });
  });

  const validate = async (csv: string) =>
    (await call<ScenarioValidation>(validateRoute, { body: { fileData: base64(csv) } })).data;

  test("may differ in an uploaded file: a warning names the first row, and the given value is used", async () => {
    const closed = later.slice(0, 12).map((day, at) => ({ ...day, working: at === 2 ? false : day.working }));
    expect(await validate(csvOf(later, inputs))).toMatchObject({ valid: true, warnings: [] });
    const { valid, warnings } = await validate(csvOf(closed, inputs));
    expect(valid).toBe(true);
    expect(warnings).toEqual([
      {
        code: "differs_from_date",
        column: "working",
        rows: 1,
        firstRow: 3,
        message:
          'Column "working" differs from the date in row 3: it is false, but follows from the day of week and public holidays (US) as true. The given values are used.',
      },
    ]);
    const { summary, warnings: stored } = await createScenario(project, {
      fileData: base64(csvOf(closed, inputs)),
    });
    expect(stored.map(({ code }) => code)).toContain("differs_from_date");
    const honest = await createScenario(project, {
      fileData: base64(csvOf(later.slice(0, 12), inputs)),
    });
    expect(summary!.sum!).toBeLessThan(honest.summary!.sum! - 20);
  });

  test("may differ in a prediction", async () => {
    const predict = async (month: number) => {
      const [day] = later;
      const input = Object.fromEntries(inputs.map((name) => [name, [{ ...day!, month }[name]]]));
      return (await call<Prediction>(predictRoute, { body: { input } })).data;
    };
    const [honest, other] = [await predict(12), await predict(7)];
    expect(honest.warnings).toEqual([]);
    expect(other.warnings).toMatchObject([{ code: "differs_from_date", column: "month", rows: 1 }]);
    expect(other.predictions[0]).toBeLessThan(honest.predictions[0]! - 20);
  });
});
