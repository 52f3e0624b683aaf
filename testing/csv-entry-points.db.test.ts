import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, it } from "vitest";
import { scenarioRuns } from "#db/schema/scenarios";
import type { Model } from "#lib/contract/models";
import type { Table } from "#lib/contract/table";
import { currentDataset, readDatasetTable } from "#lib/domain/datasets/current-dataset";
import { readScenarioInput } from "#lib/domain/scenarios/run/stored-input";
import { parseCsv } from "#lib/engine/csv/parse";
import { readForFeatures } from "#lib/engine/csv/read-for-features";
import { GET as currentModelRoute } from "../app/api/v1/projects/[projectId]/models/current/route.ts";
import { callRoute, createKey, createProject } from "./api.ts";
import { caseSettings, trainCaseModel } from "./csv-case-model.ts";
import { valuesOf } from "./csv-case-rows.ts";
import { acceptCases, type CaseRow, caseColumns, rejectCases } from "./csv-cases.ts";
import { inRequest, predict, putDataset, runScenario, uploaded, validate } from "./csv-entry-points.ts";
import { createTestDatabase } from "./postgres.ts";
import { postScenario, type TrainedProject } from "./scenario-factory.ts";

const { db } = await createTestDatabase();
let model: TrainedProject & { checkpointId: string };
let data: TrainedProject;
/** Input features as the API returns them to the browser. */
let features: Model["inputFeatures"];

beforeAll(async () => {
  model = await trainCaseModel();
  const { projectId, as } = model;
  features = (await callRoute<Model>(currentModelRoute, { params: { projectId }, as })).data.inputFeatures;
  const { id } = await createProject();
  data = { projectId: id, as: await createKey({ projectId: id }) };
});

/** Reads a file like the browser's preview. */
const preview = (bytes: Uint8Array) =>
  readForFeatures(async (options) => parseCsv(bytes, options), features, {
    timestampColumns: ["when"],
    timezone: "UTC",
    dateOrder: null,
    missing: [],
  });

const rowsOf = (table: Table, names: readonly (keyof CaseRow)[]) =>
  Object.fromEntries(names.map((name) => [name, valuesOf(table, name)]));
const expectedRows = (rows: CaseRow[], names: readonly (keyof CaseRow)[]) =>
  Object.fromEntries(names.map((name) => [name, rows.map((row) => row[name])]));
/** The parser's own test reads all combinations of dialects. */
const doorCases = acceptCases.filter(({ isCombination }) => !isCombination);
/** The first case of each issue of each column. Only these are uploaded too, because the same code reads both sources. */
const uploadedCases = new Set(
  [...Map.groupBy(rejectCases, ({ issues: [issue] }) => `${issue?.column} ${issue?.code}`).values()].map(
    ([first]) => first!,
  ),
);
const inputs = ["when", "temp", "city", "open"] as const;

describe("the browser, a dataset, a scenario and JSON give identical rows for", () => {
  it.each(doorCases)("$name", async ({ bytes, rows, declared }) => {
    const { check, file } = await preview(bytes);
    expect(check).toMatchObject({ valid: true, issues: [], rowCount: rows.length });
    expect(rowsOf(file.table, inputs)).toEqual(expectedRows(rows, inputs));
    for (const source of [inRequest(bytes), await uploaded(data, bytes)]) {
      if (declared) continue;
      const answer = await putDataset(data, { ...source, ...caseSettings });
      expect([answer.text, answer.status]).toEqual([expect.anything(), 200]);
      const table = await readDatasetTable((await currentDataset(db, data.projectId))!);
      expect(rowsOf(table, caseColumns)).toEqual(expectedRows(rows, caseColumns));
    }
    const { data: predicted } = await predict(model, expectedRows(rows, inputs));
    expect(predicted.rowCount).toBe(rows.length);
    for (const source of [inRequest(bytes), await uploaded(model, bytes)]) {
      const { data: verdict } = await validate(model, source);
      expect(verdict).toMatchObject({ valid: true, faults: [], rowCount: rows.length });
      const scenario = await runScenario(model, { ...source, checkpointId: model.checkpointId });
      const [stored] = await db.select().from(scenarioRuns).where(eq(scenarioRuns.id, scenario.scenarioId));
      const input = await readScenarioInput(stored!.inputKey!);
      expect(rowsOf(input.table, inputs)).toEqual(expectedRows(rows, inputs));
      expect(scenario.predictions).toEqual(predicted.predictions);
    }
  });
});

describe("the browser, a dataset, a scenario and JSON report identical issues for", () => {
  it.each(rejectCases)("$name", async (item) => {
    const { bytes, input, ofFile, ofModel } = item;
    const isUploaded = bytes.length > 0 && uploadedCases.has(item);
    const issues = (await preview(bytes)).check.issues;
    const message = expect.stringContaining(issues[0]!.message);
    const rejection = { code: "input_invalid", message, details: issues };
    if (!ofModel) {
      expect((await putDataset(data, { ...inRequest(bytes), ...caseSettings })).error).toMatchObject(
        rejection,
      );
      const upload = isUploaded ? await uploaded(data, bytes) : null;
      if (upload)
        expect((await putDataset(data, { ...upload, ...caseSettings })).error).toMatchObject(rejection);
    }
    const { data: verdict } = await validate(model, inRequest(bytes));
    expect(verdict).toMatchObject({ valid: false, faults: issues });
    const { checkpointId } = model;
    const rejected = await postScenario(model, { ...inRequest(bytes), checkpointId });
    expect([rejected.status, rejected.error]).toEqual([400, expect.objectContaining(rejection)]);
    if (isUploaded) await expectRejectedUpload(bytes, issues, ofFile === true);
    if (input) {
      const { error } = await predict(model, input);
      expect(error?.code).toBe("input_invalid");
      expect(error?.details).toEqual(issues.map((issue) => ({ field: "input", ...issue })));
    }
  });

  /** Expects issues of the file before the 202. The job reports issues of rows and ends as Failed. */
  async function expectRejectedUpload(bytes: Uint8Array, issues: object[], ofFile: boolean): Promise<void> {
    const source = { ...(await uploaded(model, bytes)), checkpointId: model.checkpointId };
    if (ofFile) {
      expect((await validate(model, source)).data).toMatchObject({ valid: false, faults: issues });
      expect((await postScenario(model, source)).error).toMatchObject({
        code: "input_invalid",
        details: issues,
      });
      return;
    }
    const { job } = await runScenario(model, source);
    expect(job).toMatchObject({ status: "Failed", errorCode: "input_invalid" });
    for (const issue of issues as { message: string }[]) expect(job.errorMessage).toContain(issue.message);
  }
});
