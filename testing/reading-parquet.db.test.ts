import { parquetWriteBuffer } from "hyparquet-writer";
import { expect, it } from "vitest";
import type { Dataset } from "#lib/contract/datasets";
import { limits } from "#lib/contract/limits";
import { PARQUET_TYPE } from "#lib/contract/reading";
import { currentDataset, readDatasetTable } from "#lib/domain/datasets/current-dataset";
import { POST as appendRoute } from "../app/api/v1/projects/[projectId]/dataset/rows/route.ts";
import { POST as uploadRoute } from "../app/api/v1/projects/[projectId]/uploads/route.ts";
import { callRoute, createKey, createProject } from "./api.ts";
import { valuesOf } from "./csv-case-rows.ts";
import { inRequest, predict, putDataset, runScenario, validate } from "./csv-entry-points.ts";
import { createTestDatabase } from "./postgres.ts";
import { createTrainedProject } from "./scenario-factory.ts";

const { db } = await createTestDatabase();
const { id: projectId } = await createProject();
const project = { projectId, as: await createKey({ projectId }) };
const DAY_MS = 86_400_000;
const first = Date.UTC(2024, 0, 1);
const file = (count: number, from = 0, sold: (row: number) => number = (row) => row) =>
  new Uint8Array(
    parquetWriteBuffer({
      columnData: [
        {
          name: "day",
          data: Array.from({ length: count }, (_, at) => new Date(first + (from + at) * DAY_MS)),
        },
        { name: "shop", data: Array.from({ length: count }, (_, at) => `shop ${(from + at) % 3}`) },
        { name: "sold", data: Float64Array.from({ length: count }, (_, at) => sold(from + at)) },
      ],
    }),
  );
const upload = async (bytes: Uint8Array, contentType = PARQUET_TYPE, of = project) => {
  const { data, error, status } = await callRoute<{ uploadId: string }>(uploadRoute, {
    params: { projectId: of.projectId },
    as: of.as,
    body: bytes,
    headers: { "content-type": contentType },
  });
  return { source: { uploadId: data?.uploadId }, error, status };
};
const append = (body: object) =>
  callRoute<Dataset>(appendRoute, { params: { projectId }, as: project.as, body });

it("reads Parquet as datasets, in the request and as uploads, and as appended rows", async () => {
  const bytes = file(30);
  for (const source of [
    inRequest(bytes),
    (await upload(bytes)).source,
    (await upload(bytes, "text/csv")).source,
  ]) {
    const { data, error } = await putDataset(project, { ...source, target: "sold", timestamp: "day" });
    expect(error).toBeUndefined();
    expect(data).toMatchObject({
      rowCount: 30,
      frequency: "P1D",
      firstTimestamp: "2024-01-01T00:00:00.000Z",
      reading: { timestampFormat: "iso" },
      warnings: [],
    });
  }
  expect((await append(inRequest(file(2, 30)))).error).toBeUndefined();
  expect((await append((await upload(file(2, 32))).source)).error).toBeUndefined();
  const table = await readDatasetTable((await currentDataset(db, projectId))!);
  expect(valuesOf(table, "sold")).toEqual([...Array(34).keys()]);
  const { error } = await append(inRequest(file(1, 40, () => Number.POSITIVE_INFINITY)));
  expect(error!.details).toMatchObject([{ row: 1, column: "sold", code: "not_finite" }]);
});

it("reads scenarios from Parquet, and checks them first", async () => {
  const csv = [
    "day,shop,sold",
    ...Array.from(
      { length: 80 },
      (_, at) => `${new Date(first + at * DAY_MS).toISOString()},shop ${at % 3},${at % 3}`,
    ),
  ].join("\n");
  const model = await createTrainedProject({
    csv,
    target: "sold",
    timestamp: "day",
    request: { algorithm: "ridge" },
  });
  const input = new Uint8Array(
    parquetWriteBuffer({
      columnData: [
        { name: "day", data: [new Date(first + 80 * DAY_MS), new Date(first + 81 * DAY_MS)] },
        { name: "shop", data: ["shop 2", "shop 0"] },
      ],
    }),
  );
  const given = await predict(model, { day: ["2024-03-21", "2024-03-22"], shop: ["shop 2", "shop 0"] });
  for (const source of [inRequest(input), (await upload(input, PARQUET_TYPE, model)).source]) {
    expect((await validate(model, source)).data).toMatchObject({ valid: true, rowCount: 2 });
    expect((await runScenario(model, source)).predictions).toEqual(given.data.predictions);
  }
});

it("rejects files that are too large, damaged or nested", async () => {
  const { status } = await upload(new Uint8Array(limits.parquetBytes + 1));
  expect(status).toBe(413);
  const cut = file(30).subarray(0, 300);
  const nested = new Uint8Array(
    parquetWriteBuffer({
      columnData: [{ name: "prices", data: [[1, 2]] }],
      schema: [
        { name: "root", num_children: 1 },
        { name: "prices", num_children: 1, repetition_type: "OPTIONAL", converted_type: "LIST" },
        { name: "list", num_children: 1, repetition_type: "REPEATED" },
        { name: "element", type: "DOUBLE", repetition_type: "OPTIONAL" },
      ],
    }),
  );
  for (const [bytes, detail] of [
    [cut, { code: "broken_parquet" }],
    [nested, { code: "nested_column", column: "prices" }],
  ] as const) {
    for (const source of [inRequest(bytes), (await upload(bytes)).source]) {
      const { status, error } = await putDataset(project, { ...source, target: "y" });
      expect([status, error!.code]).toEqual([400, "input_invalid"]);
      expect(error!.details).toMatchObject([detail]);
    }
  }
});
