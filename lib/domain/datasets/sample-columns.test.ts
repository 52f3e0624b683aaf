import { expect, test } from "vitest";
import type { Shape } from "#lib/contract/reading";
import type { ExpectedFeature } from "#lib/engine/csv/check-against";
import type { FeatureFormat } from "#lib/engine/csv/read-for-features";
import { SAMPLE_BYTES } from "./profile-upload.ts";
import { sampleColumns } from "./sample-columns.ts";

const feature = (name: string, type: ExpectedFeature["type"]): ExpectedFeature => ({
  name,
  type,
  role: "input",
  required: true,
  min: null,
  max: null,
  categories: null,
});

const sample = (
  lines: readonly string[],
  features: ExpectedFeature[],
  format: Partial<FeatureFormat> = {},
) => {
  const content = Buffer.from(`${lines.join("\n")}\n`);
  async function* chunks() {
    for (let from = 0; from < content.length; from += 50_000) yield content.subarray(from, from + 50_000);
  }
  const size = { bytes: content.length, lineCount: lines.length - 1 };
  const defaults = { timestampColumns: null, timezone: "UTC", dateOrder: null, missing: [] };
  return sampleColumns({ ...size, features, format: { ...defaults, ...format } }, async () => chunks());
};

test("accepts dates that look like text because most are marked as missing", async () => {
  const codes = async (missing: string[]) => {
    const lines = ["last", "never", "never", "2024-01-01"];
    const { issues } = await sample(lines, [feature("last", "timestamp")], { missing });
    return issues.map(({ code }) => code);
  };
  expect(await codes(["never"])).toEqual([]);
  expect(await codes([])).toEqual(["not_a_timestamp"]);
});

test("reports all columns of a long file by its first rows, and leaves the others to the job", async () => {
  const row = (at: number) => `${at},${at < 150_000 ? "yes" : "true"},${at < 150_000 ? at : "late"}`;
  const lines = ["a,open,b", ...Array.from({ length: 200_000 }, (_, at) => row(at))];
  expect(lines.join("\n").length).toBeGreaterThan(2 * SAMPLE_BYTES);
  const features = [
    feature("a", "number"),
    feature("open", "boolean"),
    feature("b", "number"),
    feature("c", "number"),
  ];
  const { issues, issueCount, lineCount } = await sample(lines, features);
  expect([issueCount, lineCount]).toEqual([2, 200_000]);
  expect(issues).toMatchObject([
    {
      row: null,
      column: "open",
      code: "not_a_boolean",
      message: 'Column "open" contains values that are not true or false, such as "yes" in row 1.',
      expected: 'a column "open" of type boolean',
    },
    { row: null, column: "c", code: "missing_column" },
  ]);
});

const reading = {
  encoding: "utf-8",
  headerRow: 1,
  delimiter: ",",
  decimalMark: ".",
  timestampFormat: null,
  columnFormats: {},
} as const;

test("does not count the lines above the header of a long file", async () => {
  const lines = ["Report", "a,b", ...Array.from({ length: 200_000 }, (_, at) => `${at},${at}`)];
  const { issueCount, lineCount } = await sample(lines, [feature("a", "number")], {
    reading: { ...reading, headerRow: 2 },
  });
  expect([issueCount, lineCount]).toEqual([0, 200_000]);
});

test("counts the rows of a long wide file", async () => {
  const times = Array.from({ length: 12 }, (_, at) => `2024-${String(at + 1).padStart(2, "0")}`);
  const lines = [
    `shop,${times.join(",")}`,
    ...Array.from({ length: 50_000 }, (_, at) => `${at},${times.map(() => at).join(",")}`),
  ];
  const shape: Shape = { kind: "wide", times: ["2023-01"], valueName: "sold" };
  const features = [
    feature("shop", "category"),
    { ...feature("time", "timestamp"), role: "timestamp" } as const,
  ];
  const wide = { ...reading, timestampFormat: "iso", shape } as const;
  const format = { timestampColumns: ["time"], reading: wide, series: ["shop"] };
  const { issueCount, lineCount, header } = await sample(lines, features, format);
  expect([issueCount, lineCount, header]).toEqual([0, 600_000, ["shop", "time", "sold"]]);
});
