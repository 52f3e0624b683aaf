import { expect, it } from "vitest";
import { previewCsv } from "#components/csv/preview-csv.ts";
import type { Dataset } from "#lib/contract/datasets";
import { appendedWarnings, readingOptionsOf } from "./append-reading.ts";

const column = (name: string, role: string, type: string, more = {}) => ({
  name,
  role,
  type,
  min: null,
  max: null,
  categories: null,
  ...more,
});
const dataset = {
  timestamp: ["day", "hr"],
  timezone: "UTC",
  frequency: "PT1H",
  dateOrder: "month-first",
  missing: ["NA"],
  target: "demand",
  calendar: null,
  resample: null,
  firstTimestamp: "2023-12-01T00:00:00.000Z",
  lastTargetTimestamp: "2024-01-01T00:00:00.000Z",
  columns: [
    column("day", "timestamp", "timestamp"),
    column("hr", "timestamp", "number"),
    column("temp", "input", "number", { min: 0, max: 1 }),
    column("note", "excluded", "category"),
    column("demand", "target", "number", { min: 0, max: 100 }),
  ],
} as unknown as Dataset;

it("reads rows like the dataset: joined date and hour, date order, texts for missing values", async () => {
  // No day is above 12, so the file alone does not reveal the date order.
  const file = new Blob(["day,hr,temp,demand,extra,note\n1/2/2024,7,2,120,x,y\n1/2/2024,6,NA,50,x,y\n"]);
  const preview = await previewCsv(file, readingOptionsOf(dataset));
  expect(preview.issues).toEqual([]);
  expect(preview.profile).toMatchObject([
    { name: "day", min: Date.UTC(2024, 0, 2, 6), max: Date.UTC(2024, 0, 2, 7) },
    { name: "hr" },
    { name: "temp", missing: 1, outside: { rows: 1 } },
    { name: "demand", outside: { rows: 1 } },
  ]);
  expect(appendedWarnings(preview.warnings, dataset).map(({ message }) => message)).toEqual([
    'The dataset has no column "extra". The column is ignored.',
    "1 row is earlier than a row above. The service sorts the rows by time.",
  ]);
});

it("reports a missing column, but not an excluded one", async () => {
  const { issues } = await previewCsv(new Blob(["day,hr,temp\n1/2/2024,7,2\n"]), readingOptionsOf(dataset));
  expect(issues.map(({ code, column }) => [code, column])).toEqual([["missing_column", "demand"]]);
});

it("reports times that are not after the dataset's last one or far after it, and repeated times", async () => {
  const file = new Blob([
    "day,hr,temp,demand\n1/1/2024,0,2,1\n1/2/2024,7,2,1\n1/2/2024,7,3,1\n1/2/9024,7,3,1\n",
  ]);
  const { issues } = await previewCsv(file, readingOptionsOf(dataset));
  expect(issues.map(({ code, row }) => [code, row])).toEqual([
    ["timestamps_unsorted", 1],
    ["timestamps_duplicate", 3],
    ["timestamp_too_far", 4],
  ]);
});
