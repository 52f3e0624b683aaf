import { describe, expect, it } from "vitest";
import type { Dataset } from "#lib/contract/datasets";
import { TIME_FORMATS } from "#lib/contract/reading";
import { POST as appendRoute } from "../app/api/v1/projects/[projectId]/dataset/rows/route.ts";
import { callRoute, createKey, createProject } from "./api.ts";
import { predict, putDataset, validate } from "./csv-entry-points.ts";
import { createTestDatabase } from "./postgres.ts";
import { createTrainedProject } from "./scenario-factory.ts";
import { askedTimes, fileOf, iso, timeCases } from "./time-cases.ts";

await createTestDatabase();
const { id: projectId } = await createProject();
const project = { projectId, as: await createKey({ projectId }) };

describe("a dataset and its appended rows read times as they are written:", () => {
  it.each(timeCases.map((one) => [`${one.format}, such as ${one.write(new Date(one.at(0)))}`, one] as const))(
    "%s",
    async (_, one) => {
      const timestamp = one.columns ?? "t";
      const { data, error } = await putDataset(project, { ...fileOf(one, 0, 50), target: "y", timestamp });
      expect(error).toBeUndefined();
      expect(data).toMatchObject({
        reading: { timestampFormat: one.format },
        firstTimestamp: iso(one.at(0)),
        lastTimestamp: iso(one.at(49)),
        frequency: one.frequency,
      });
      const appended = await callRoute<Dataset>(appendRoute, {
        params: { projectId },
        as: project.as,
        body: fileOf(one, 50, 51),
      });
      expect(appended.error).toBeUndefined();
      expect(appended.data).toMatchObject({
        lastTimestamp: iso(one.at(50)),
        reading: { timestampFormat: one.format },
      });
    },
  );
});

it("appended rows in another clear format do not decide how later ones are read", async () => {
  const base64 = (csv: string) => ({ fileData: Buffer.from(csv).toString("base64") });
  const append = (day: string) =>
    callRoute<Dataset>(appendRoute, {
      params: { projectId },
      as: project.as,
      body: base64(`date,sales\n${day},5`),
    });
  const csv = "date,sales\n2024-01-01,1\n2024-01-02,2\n2024-01-03,3";
  await putDataset(project, { ...base64(csv), target: "sales", timestamp: "date" });
  const { data } = await append("13/02/2024");
  expect([data.reading!.timestampFormat, data.lastTimestamp]).toEqual(["iso", "2024-02-13T00:00:00.000Z"]);
  expect((await append("3/4/2024")).error!.details).toMatchObject([{ code: "ambiguous_date" }]);
});

/** Times that the calendar does not have, for two of the formats. */
const impossible: Record<string, object> = {
  YYYYMM: { t: ["202313"] },
  "year+month": { year: [2023], month: [13] },
};

describe("scenarios and predictions read the times of their model:", () => {
  it.each(TIME_FORMATS)("%s", async (format) => {
    const one = [...askedTimes, ...timeCases].find((other) => other.format === format)!;
    const columns = one.columns ?? ["t"];
    const csv = Buffer.from((fileOf(one, 0, 72) as { fileData: string }).fileData, "base64").toString();
    const model = await createTrainedProject({
      csv,
      target: "y",
      timestamp: columns,
      timestampFormat: format,
      request: { algorithm: "ridge", features: { lags: [], rolling: [] } },
    });
    const inputOf = (row: number) => {
      const text = one.write(new Date(one.at(row)));
      const cells = columns.length > 1 ? text.split(",") : [text.replaceAll('"', "")];
      const value = (cell: string) => (/^[1-9]\d*$/.test(cell) ? Number(cell) : cell);
      return Object.fromEntries(columns.map((name, at) => [name, [value(cells[at]!)]]));
    };
    const after = await predict(model, inputOf(72));
    expect(after.error).toBeUndefined();
    expect(after.data.warnings.map(({ code }) => code)).not.toContain("in_sample");
    expect((await predict(model, inputOf(5))).data.warnings.map(({ code }) => code)).toContain("in_sample");
    const before = (await predict(model, inputOf(-13))).data.warnings.map(({ code }) => code);
    expect(before).toContain("before_training");
    expect(before).not.toContain("in_sample");
    const verdict = await validate(model, fileOf(one, 72, 75));
    expect(verdict.data).toMatchObject({ valid: true, rowCount: 3, reading: { timestampFormat: format } });
    if (impossible[format] !== undefined)
      expect((await predict(model, impossible[format])).error?.code).toBe("input_invalid");
  });
});
