import { expect, it } from "vitest";
import type { Dataset } from "#lib/contract/datasets";
import { callRoute, createKey, createProject } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { PATCH, PUT } from "../../../app/api/v1/projects/[projectId]/dataset/route.ts";
import { POST as appendRoute } from "../../../app/api/v1/projects/[projectId]/dataset/rows/route.ts";

await createTestDatabase();

const { id: projectId } = await createProject();
const key = await createKey({ projectId });

const base64 = (text: string) => Buffer.from(text).toString("base64");
const day = (row: number) => new Date(Date.UTC(2024, 0, 1 + row)).toISOString().slice(0, 10);

/** Rentals: `casual` and `registered` add up to the target, `instant` counts rows, `survey` arrives late. */
function rentals(from: number, rows: number): string {
  const lines = Array.from({ length: rows }, (_, at) => {
    const row = from + at;
    const casual = (row * 37) % 41;
    const registered = (row * 53) % 97;
    const survey = row < 80 ? (row * 29) % 31 : "";
    return [row + 1, day(row), casual, registered, survey, 1, casual + registered].join();
  });
  return `instant,day,casual,registered,survey,site,cnt\n${lines.join("\n")}\n`;
}

const put = (more: Record<string, unknown> = {}) =>
  callRoute<Dataset>(PUT, {
    method: "PUT",
    params: { projectId },
    as: key,
    body: { fileData: base64(rentals(0, 100)), target: "cnt", timestamp: "day", ...more },
  });
const patch = (body: Record<string, unknown>) =>
  callRoute<Dataset>(PATCH, { method: "PATCH", params: { projectId }, as: key, body });

const codesOf = ({ warnings }: Dataset) =>
  warnings.map(({ code, columns }) => `${code}: ${columns?.join(" + ")}`);

const all = [
  "equals_target: casual + registered",
  "identifier: instant",
  "empty_in_newest_rows: survey",
  "constant_column: site",
];

it("names suspected columns with evidence when a dataset is stored", async () => {
  const { data } = await put();
  expect(codesOf(data)).toEqual(all);
  expect(data.warnings).toMatchObject([
    {
      column: null,
      message:
        '"casual + registered" equals the target "cnt" in 100 of 100 rows. Exclude the columns unless they are known before the target.',
      evidence: { formula: "casual + registered", matchingRows: 100, comparedRows: 100 },
    },
    { column: "instant", evidence: { distinct: 100, comparedRows: 100 } },
    { column: "survey", rows: 20, evidence: { lastTimestamp: `${day(79)}T00:00:00.000Z` } },
    { column: "site" },
  ]);
});

it("omits warnings about excluded columns", async () => {
  expect(codesOf((await put({ exclude: ["casual", "instant"] })).data)).toEqual(all.slice(2));
  const { data } = await patch({ exclude: ["casual", "registered", "instant", "survey", "site"] });
  expect(data.warnings).toEqual([]);
  expect(codesOf((await patch({ exclude: [] })).data)).toEqual(all);
});

it("omits warnings about confirmed columns, also after more rows, until they are no longer confirmed", async () => {
  await put();
  const confirmed = await patch({ confirmed: ["casual", "registered", "instant"] });
  expect(codesOf(confirmed.data)).toEqual(all.slice(2));
  const more = await callRoute<Dataset>(appendRoute, {
    params: { projectId },
    as: key,
    body: { fileData: base64(rentals(100, 10)) },
  });
  expect(more.data.confirmed).toEqual(["casual", "registered", "instant"]);
  // The added rows' own warning: their column "survey" is empty.
  expect(codesOf(more.data)).toEqual(["empty_column: undefined", ...all.slice(2)]);
  expect(codesOf((await patch({ confirmed: ["casual"] })).data)).toEqual(all);
});

it("accepts confirmed columns with the file", async () => {
  const { data } = await put({ confirmed: ["casual", "registered", "instant", "survey", "site"] });
  expect([data.warnings, data.confirmed.length]).toEqual([[], 5]);
});
