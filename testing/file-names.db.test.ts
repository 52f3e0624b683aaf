import Papa from "papaparse";
import { beforeAll, describe, expect, it } from "vitest";
import { parseCsv } from "#lib/engine/csv/parse";
import { GET as predictionsRoute } from "../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/predictions/route.ts";
import { callRoute } from "./api.ts";
import { caseSettings, trainCaseModel } from "./csv-case-model.ts";
import { type CaseRow, caseColumns, cellsOf } from "./csv-cases.ts";
import { inRequest, predict, putDataset, runScenario, validate } from "./csv-entry-points.ts";
import { naughtyTexts } from "./hostile-texts.ts";
import { createTestDatabase } from "./postgres.ts";
import { getScenario, postScenario, type TrainedProject } from "./scenario-factory.ts";
import { writeDialect } from "./write-dialect.ts";

await createTestDatabase();
let model: TrainedProject & { checkpointId: string };
beforeAll(async () => {
  model = await trainCaseModel();
});

const rows: CaseRow[] = [...naughtyTexts.filter((text) => !/^'+[=-]/.test(text)), null].map((city, at) => ({
  when: new Date(Date.UTC(2024, 2, 1, at)).toISOString(),
  temp: at % 5 === 0 ? null : at / -3,
  city,
  open: at % 2 === 0,
  load: at,
}));
const file = inRequest(writeDialect(cellsOf(rows)));

async function download(scenarioId: string) {
  return callRoute(predictionsRoute, {
    params: { projectId: model.projectId, scenarioId },
    as: model.as,
    headers: { accept: "text/csv" },
  });
}

describe("fileName is display text", () => {
  it.each([
    "../../etc/passwd",
    "C:\\x",
    "a\r\nSet-Cookie: x=1.csv",
    "invoice\u202Evsc.exe",
    "<img src=x onerror=alert(1)>.csv",
    "\"quoted\"; 'both'.csv",
    "données 👩‍👩‍👧 2024.csv",
    "x".repeat(255),
    "",
  ])("%j is returned unchanged for a dataset and a scenario", async (fileName) => {
    const saved = await putDataset(model, { ...file, ...caseSettings, fileName });
    expect([saved.status, saved.data.fileName]).toEqual([200, fileName]);
    const { data } = await postScenario(model, { ...file, fileName, checkpointId: model.checkpointId });
    expect((await getScenario(model, data.scenarioId)).fileName).toBe(fileName);
    expect((await validate(model, { ...file, fileName })).data.valid).toBe(true);
  });

  it.each([
    ["a name of 10 kB", "x".repeat(10_000), "validation_failed"],
    ["a name with NUL", "a\0b", "validation_failed"],
    ["a name that is not a string", 5, "validation_failed"],
  ])("%s is rejected", async (_, fileName, code) => {
    const answers = [
      await putDataset(model, { ...file, ...caseSettings, fileName }),
      await postScenario(model, { ...file, fileName }),
      await validate(model, { ...file, fileName }),
    ];
    expect(answers.map(({ status, error }) => [status, error?.code])).toEqual(answers.map(() => [400, code]));
  });
});

describe("exported predictions", () => {
  it("escape formulas but not numbers, and read back as the same table with the same predictions", async () => {
    const first = await runScenario(model, {
      ...file,
      title: 'Q1 "a/b"; é 👩‍👩‍👧',
      checkpointId: model.checkpointId,
    });
    const { text, headers } = await download(first.scenarioId);
    expect(headers.get("content-disposition")).toMatch(
      /^attachment; filename="[ -!#-~]+"; filename\*=UTF-8''[!-~]+$/,
    );
    const cells = parseCsv(text, { categories: [...caseColumns] });
    expect(cells.header).toEqual(["when", "temp", "city", "open", "prediction", "lower", "upper"]);
    const raw = Papa.parse<string[]>(text, { delimiter: ",", newline: "\r\n" }).data.flat();
    for (const cell of raw) if (/^[=+\-@＝＋－＠\t\r\n]/.test(cell)) expect(Number(cell)).not.toBeNaN();
    expect(text).toContain(`${rows[1]!.when},${rows[1]!.temp},`);
    for (const line of text
      .split("\r\n")
      .slice(1, -1)
      .filter((one) => one.startsWith("20")))
      expect(line).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z,/);
    const again = await runScenario(model, {
      ...inRequest(Buffer.from(text)),
      checkpointId: model.checkpointId,
    });
    expect(again.predictions).toEqual(first.predictions);
    const second = await download(again.scenarioId);
    expect(second.text).toBe(text);
    const input = Object.fromEntries(
      caseColumns.filter((name) => name !== "load").map((name) => [name, rows.map((row) => row[name])]),
    );
    expect((await predict(model, input)).data.predictions).toEqual(first.predictions);
  });
});
