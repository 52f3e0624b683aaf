import { expect, test } from "vitest";
import { fileReason, reading } from "./file-reason.ts";
import type { CsvPreview } from "./preview-csv.ts";

const file = new File(["a\n1\n"], "a.csv");
const preview = (issueCount: number) => ({ issueCount }) as CsvPreview;
const read = { preview: null, fraction: null, failure: null };

test("names the first reason why a file cannot be sent", () => {
  expect(fileReason(null, read)).toBe("Choose a file.");
  expect(fileReason(file, { ...read, fraction: 0.4, preview: preview(0) })).toBe(reading);
  expect(fileReason(file, { ...read, failure: "Broken." })).toBe("Choose a file that can be read.");
  expect(fileReason(file, { ...read, preview: preview(1) })).toBe(
    "Correct 1 issue in the file, or choose another file.",
  );
  expect(fileReason(file, { ...read, preview: preview(2) })).toMatch(/^Correct 2 issues/);
  expect(fileReason(file, { ...read, preview: preview(0) })).toBeNull();
});
