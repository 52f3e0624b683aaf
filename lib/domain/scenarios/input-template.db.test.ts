import { expect, test } from "vitest";
import type { ScenarioValidation } from "#lib/contract/scenarios";
import { callRoute } from "#testing/api";
import { createPopulatedProject } from "#testing/populated-project";
import { createTestDatabase } from "#testing/postgres";
import { base64, createTrainedProject, type TrainedProject } from "#testing/scenario-factory";
import { GET as templateRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/template/route.ts";
import { POST as validateRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/validate/route.ts";

await createTestDatabase();

const template = ({ projectId, as }: TrainedProject, query: Record<string, string> = {}) =>
  callRoute(templateRoute, { params: { projectId }, query, as });

/** Validates a file as a scenario's input. */
async function check({ projectId, as }: TrainedProject, csv: string): Promise<ScenarioValidation> {
  const body = { fileData: base64(csv) };
  return (await callRoute<ScenarioValidation>(validateRoute, { params: { projectId }, as, body })).data;
}

const days = Array.from({ length: 60 }, (_, i) =>
  new Date(Date.UTC(2026, 0, 1 + i)).toISOString().slice(0, 10),
);

test("is a valid input without warnings, at the step after the last known row", async () => {
  const rows = days.map(
    (day, i) => `${day},${i % 8},${["rain", "sun"][i % 2]},${i % 3 === 0},${i + (i % 7)}`,
  );
  const csv = `day,temp,"the, weather",holiday,sales\n${rows.join("\n")}\n`;
  const project = await createTrainedProject({ csv, target: "sales", timestamp: "day" });
  const { status, text, headers } = await template(project);
  expect([status, headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8"]);
  expect(text.split("\r\n")[0]).toBe('day,temp,"the, weather",holiday');
  expect(text.split("\r\n")[1]).toMatch(/^2026-03-02T00:00:00\.000Z,3,(rain|sun),false$/);
  expect(await check(project, text)).toMatchObject({ valid: true, rowCount: 1, warnings: [] });
});

test("has numbers within the training range, however narrow the range is", async () => {
  const rows = days.map((day, i) => `${day},${1_000_004 + (i % 3)},${i % 5}`);
  const csv = `day,store,sales\n${rows.join("\n")}\n`;
  const project = await createTrainedProject({ csv, target: "sales", timestamp: "day" });
  const { text } = await template(project);
  expect(text).toContain(",1000005\r\n");
  expect(await check(project, text)).toMatchObject({ valid: true, warnings: [] });
});

test("is valid for numbers in another format, and for date and hour in two columns", async () => {
  const rows = days.map((day, i) => `${day};${i % 24};"${i},5";${i * 2}`);
  const csv = `day;hour;price;sales\n${rows.join("\n")}\n`;
  const project = await createTrainedProject({ csv, target: "sales", timestamp: ["day", "hour"] });
  const { text } = await template(project);
  expect(text).toMatch(/^day,price\r\n/);
  expect(await check(project, text)).toMatchObject({ valid: true, rowCount: 1 });
});

test("has numbers with a decimal comma within the training range", async () => {
  const rows = days.map((day, i) => `${day};0,${2 + (i % 3)};-0,${4 - (i % 3)};${i % 5}`);
  const csv = `day;share;debt;sales\n${rows.join("\n")}\n`;
  const numberFormats = ["share", "debt"].map((column) => ({ column, decimalMark: "," as const }));
  const project = await createTrainedProject({ csv, target: "sales", timestamp: "day", numberFormats });
  const { text } = await template(project);
  expect(text).toContain(',"0,3","-0,3"\r\n');
  expect(await check(project, text)).toMatchObject({ valid: true, warnings: [] });
});

test("is for a checkpoint if one is named, and needs no times", async () => {
  const own = await createPopulatedProject();
  const { text } = await template(own, { checkpointId: own.checkpointId });
  expect(text).toMatch(/^temp,wind\r\n-?[\d.]+,-?[\d.]+\r\n$/);
  expect(await check(own, text)).toMatchObject({ valid: true });
  const { error } = await template(own, { checkpointId: own.scenarioId });
  expect(error).toMatchObject({ code: "checkpoint_not_found", details: [{ field: "checkpointId" }] });
});
