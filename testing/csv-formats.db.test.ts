import { describe, expect, it } from "vitest";
import type { Table } from "#lib/contract/table";
import { currentDataset, readDatasetTable } from "#lib/domain/datasets/current-dataset";
import { findColumn } from "#lib/engine/table/columns";
import { createKey, createProject } from "./api.ts";
import { readCases, unreadableCases } from "./csv-cases.ts";
import { inRequest, putDataset } from "./csv-entry-points.ts";
import { createTestDatabase } from "./postgres.ts";
import { encode } from "./write-dialect.ts";

const { db } = await createTestDatabase();
const { id: projectId } = await createProject();
const project = { projectId, as: await createKey({ projectId }) };

const put = ({ file, options }: { file: string; options: object }) =>
  putDataset(project, { ...inRequest(encode(file, "utf-8")), target: "y", ...options });

function values(table: Table, name: string) {
  const column = findColumn(table, name)!;
  if (column.type === "category") return Array.from(column.codes, (code) => column.categories[code] ?? null);
  return Array.from(column.values, (value) => {
    if (Number.isNaN(value)) return null;
    return column.type === "timestamp" ? new Date(value).toISOString().slice(0, 10) : value;
  });
}

describe("a dataset reads, with its options,", () => {
  it.each(readCases)("$name", async (one) => {
    const { error } = await put(one);
    expect(error).toBeUndefined();
    const table = await readDatasetTable((await currentDataset(db, projectId))!);
    expect(values(table, one.column)).toEqual(one.values);
  });
});

describe("a dataset rejects, and names the option that reads,", () => {
  it.each(unreadableCases)("$name", async (one) => {
    const { error } = await put(one);
    const issue = error?.details?.find(({ column }) => column === one.column);
    expect([error?.code, issue?.code]).toEqual(["input_invalid", one.code]);
    expect(issue?.message.slice(-one.message.length)).toBe(one.message);
  });
});

it("rejects a format of an unknown column, of a category and of two marks that are equal", async () => {
  const file = "x,y\n1,2\n";
  const fields = async (options: object) =>
    (await put({ file, options })).error?.details?.map(({ field }) => field);
  expect(await fields({ numberFormats: [{ column: "z" }] })).toEqual(["numberFormats"]);
  expect(await fields({ numberFormats: [{ column: "x" }], categories: ["x"] })).toEqual(["numberFormats"]);
  const equal = [{ column: "x", decimalMark: ",", groupMark: "," }];
  expect(await fields({ numberFormats: equal })).toEqual(["numberFormats.0.groupMark"]);
});
