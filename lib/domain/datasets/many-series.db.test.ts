import { describe, expect, it } from "vitest";
import type { DatasetChanges, DatasetRows } from "#lib/contract/dataset-versions";
import type { Dataset } from "#lib/contract/datasets";
import { limits } from "#lib/contract/limits";
import type { TargetSeries } from "#lib/contract/target-series";
import { callRoute, createKey, createProject } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { base64 } from "#testing/scenario-factory";
import { PATCH, PUT } from "../../../app/api/v1/projects/[projectId]/dataset/route.ts";
import {
  PATCH as CORRECT,
  POST,
  GET as ROWS,
} from "../../../app/api/v1/projects/[projectId]/dataset/rows/route.ts";
import { GET as TARGET } from "../../../app/api/v1/projects/[projectId]/dataset/target/route.ts";
import { GET as CHANGES } from "../../../app/api/v1/projects/[projectId]/dataset/versions/[versionId]/changes/route.ts";
import { currentDataset, readDatasetTable } from "./current-dataset.ts";
import { seriesId } from "./series-id.ts";

const { db } = await createTestDatabase();
const { id: projectId } = await createProject();
const as = await createKey({ projectId });
const params = { projectId };

const day = (at: number) => new Date(Date.UTC(2024, 0, 1 + at)).toISOString().slice(0, 10);
/** Rows of two stores with two items each, and their regions. */
const rowsOf = (days: readonly number[], stores: readonly number[] = [9, 10]) =>
  stores.flatMap((store) =>
    [1, 2].flatMap((item) =>
      days.map((at) => `${day(at)},${store},${item},${store === 9 ? "north" : "south"},${store + item + at}`),
    ),
  );
const range = (count: number, from = 0) => Array.from({ length: count }, (_, at) => from + at);
const header = "date,store,item,region,sales";
const put = (lines: readonly string[], options: object = {}) =>
  callRoute<Dataset>(PUT, {
    method: "PUT",
    params,
    as,
    body: {
      fileData: base64([header, ...lines].join("\n")),
      target: "sales",
      timestamp: "date",
      series: ["store", "item"],
      ...options,
    },
  });
const patch = (body: object) => callRoute<Dataset>(PATCH, { method: "PATCH", params, as, body });
const append = (...lines: string[]) =>
  callRoute<Dataset>(POST, { params, as, body: { fileData: base64([header, ...lines].join("\n")) } });
const storedTexts = async () => {
  const { columns, rowCount } = await readDatasetTable((await currentDataset(db, projectId))!);
  return Array.from({ length: rowCount }, (_, row) =>
    columns
      .map((column) =>
        column.type === "category"
          ? column.categories[column.codes[row]!]
          : column.type === "timestamp"
            ? new Date(column.values[row]!).toISOString().slice(0, 10)
            : column.values[row],
      )
      .join(),
  );
};

describe("a dataset of many series", () => {
  const lines = rowsOf(range(30));

  it("sorts rows by series and time from any order, and describes its series", async () => {
    const { data, error } = await put(lines.toReversed());
    expect(error).toBeUndefined();
    expect(data.series).toEqual({
      columns: ["store", "item"],
      count: 4,
      levels: [
        { name: "Total", columns: [], count: 1, within: [] },
        { name: "region", columns: ["region"], count: 2, within: ["store"] },
        { name: "store", columns: ["store"], count: 2, within: ["region"] },
        { name: "item", columns: ["item"], count: 2, within: [] },
        { name: "store, item", columns: ["store", "item"], count: 4, within: ["region", "store", "item"] },
      ],
      minRows: 30,
      maxRows: 30,
      ended: 0,
      short: 0,
    });
    expect(data).toMatchObject({
      rowCount: 120,
      frequency: "P1D",
      lastTargetTimestamp: `${day(29)}T00:00:00.000Z`,
      plannedRows: 0,
    });
    expect(data.columns.slice(1, 3).map(({ type, role }) => [type, role])).toEqual([
      ["category", "input"],
      ["category", "input"],
    ]);
    expect(await storedTexts()).toEqual(lines);
    expect((await put(lines)).data.warnings).toEqual([]);
  });

  it("returns the target of chosen series beside their total", async () => {
    // One series lacks the second day.
    await put(lines.filter((line) => !line.startsWith(`${day(1)},10,2,`)));
    const idOf = (store: string, item: string) => seriesId(projectId, ["store", "item"], [store, item]);
    const ask = (query: Record<string, string | string[]>) =>
      callRoute<TargetSeries>(TARGET, { params, as, query });
    const [first, gap] = [idOf("9", "1"), idOf("10", "2")];
    const { data } = await ask({ series: [gap, first.toUpperCase()] });
    expect(data.series!.map(({ id, values }) => [id, values.slice(0, 3)])).toEqual([
      [gap, [12, null, 14]],
      [first, [10, 11, 12]],
    ]);
    expect(data.values.slice(0, 3)).toEqual([44, 48 - 13, 52]);
    const buckets = await ask({ series: first, bucket: "month", aggregate: "sum" });
    expect(buckets.data.series![0]!.values).toEqual([range(30).reduce((sum, at) => sum + 10 + at, 0)]);
    expect((await ask({})).data.series).toBeUndefined();
    expect((await ask({ series: "nonsense" })).error).toMatchObject({
      code: "series_not_found",
      details: [{ field: "series", id: "nonsense" }],
    });
    const many = range(limits.targetSeries + 1).map((at) => idOf(String(at), "1"));
    expect((await ask({ series: many })).error?.details).toMatchObject([{ code: "too_many_series" }]);
    await put(
      rowsOf(range(30), [9]).filter((line) => line.split(",")[2] === "1"),
      { series: null },
    );
    expect((await ask({ series: first })).error?.details).toMatchObject([{ code: "one_series" }]);
  });

  it("is proposed where times repeat, also by the hour of a day", async () => {
    const { error } = await put(lines, { series: null });
    const choice = { label: "4 series by store and item", options: { series: ["store", "item"] }, cells: [] };
    expect(error?.details?.[0]).toMatchObject({ code: "timestamps_duplicate", choices: [choice] });
    expect(error?.message).toContain('send {"series":["store","item"]} with the file.');
    const hourly = ["A", "B"].flatMap((store) =>
      range(3).flatMap((at) => range(24).map((hour) => `${day(at)},${hour},${store},${hour * at}`)),
    );
    const file = { fileData: base64(["date,hour,store,sales", ...hourly].join("\n")), series: null };
    const options = { timestamp: ["date", "hour"], series: ["store"] };
    const asked = await put([], file);
    expect(asked.error?.details?.[0]).toMatchObject({
      choices: [{ label: "2 series by store, with times of date and hour", options }],
    });
    expect((await put([], { ...file, ...options })).data).toMatchObject({ frequency: "PT1H", rowCount: 144 });
  });

  it("names row, series and time of a repeated time", async () => {
    const { error } = await put([...lines, lines[0]!]);
    expect(error?.details).toMatchObject([{ row: 121, column: "date", code: "timestamps_duplicate" }]);
    expect(error?.details?.[0]?.message).toBe(
      'Row 121, column "date": the time 2024-01-01T00:00:00.000Z of the series store "9", item "1" is already in row 1. Each series has one row per time.',
    );
  });

  it("refuses a series with another step, and rows without a series", async () => {
    const weekly = range(14).map((week) => `${day(7 * week)},11,1,south,5`);
    const { error } = await put([...lines, ...weekly]);
    expect(error).toMatchObject({ code: "input_invalid", details: [{ code: "series_frequency" }] });
    expect(error?.message).toContain('The series store "11", item "1" has the step "week"');
    const nameless = await put([...lines, `${day(3)},,1,south,5`]);
    expect(nameless.error?.details).toMatchObject([{ row: 121, column: "store", code: "missing_value" }]);
  });

  it("warns of gaps and of series that have ended or are short", async () => {
    const some = [
      ...lines.filter((line) => !line.startsWith(`${day(5)},9,1`)),
      ...rowsOf(range(3, -40), [8]),
    ];
    const { data } = await put(some);
    expect(data.series).toMatchObject({ count: 6, minRows: 3, ended: 2, short: 2 });
    expect(data.warnings.map(({ code, rows }) => [code, rows])).toEqual([
      ["gaps", 1],
      ["series_ended", undefined],
      ["series_short", undefined],
    ]);
    expect(data.warnings[0]?.message).toBe('1 day within 1 series (store "9", item "1") has no row.');
  });

  it("refuses contradictions, and unknown columns", async () => {
    const messages = async (options: object) =>
      (await put(lines, options)).error?.details?.map((d) => d.message);
    expect(await messages({ series: ["sales", "date", "item", "item"], exclude: ["item"] })).toHaveLength(4);
    expect(await messages({ timestamp: null })).toEqual([
      "Series need the times of their rows. Name the timestamp column in timestamp.",
    ]);
    expect((await put(lines, { series: ["stores"] })).error?.details).toMatchObject([
      { field: "series", code: "unknown_column", nearest: "store" },
    ]);
    expect((await put(lines, { series: [] })).error?.details).toMatchObject([{ field: "series" }]);
    expect((await put(lines, { series: ["a", "b", "c", "d", "e"] })).status).toBe(400);
  });

  it("counts planned rows after the last target of all series", async () => {
    const planned = [9, 10].map((store) => `${day(30)},${store},1,${store === 9 ? "north" : "south"},`);
    const { data } = await put([...lines, ...planned]);
    expect(data).toMatchObject({ plannedRows: 2, lastTargetTimestamp: `${day(29)}T00:00:00.000Z` });
  });

  it("joins the rows of each step within each series", async () => {
    const twice = lines.flatMap((line) => [line, line]);
    const { data } = await put(twice, { resample: { frequency: "P1D", statistic: "sum" } });
    expect(data).toMatchObject({ rowCount: 120, series: { count: 4 } });
    expect((await storedTexts())[0]).toBe(`${day(0)},9,1,north,20`);
  });

  it("gets its series by a change of settings, from columns that were numbers", async () => {
    const one = lines.filter((line) => line.split(",").slice(1, 3).join() === "9,1");
    expect((await put(one, { series: null })).data.series).toBeNull();
    const { data } = await patch({ series: ["store"] });
    expect(data).toMatchObject({ rowCount: 30, series: { columns: ["store"], count: 1 } });
    expect(data.columns[1]).toMatchObject({ type: "category", categories: ["9"] });
  });
});

describe("reads and corrections of a dataset of many series", () => {
  const lines = rowsOf(range(30));
  const rows = (query: Record<string, string>) => callRoute<DatasetRows>(ROWS, { params, as, query });

  it("draw the total of all series at each time", async () => {
    await put(lines);
    const { data } = await callRoute<TargetSeries>(TARGET, { params, as });
    expect(data).toMatchObject({ rowCount: 120, rows: range(30, 1) });
    // Four series of store + item + day.
    expect(data.values).toEqual(range(30).map((at) => 4 * at + 2 * 9 + 2 * 10 + 2 * 1 + 2 * 2));
  });

  it("change one series, and are compared by series and time", async () => {
    const { data: before } = await put(lines);
    const { data: page } = await rows({ offset: "30", limit: "1" });
    expect(page.rows[0]).toMatchObject({ row: 31, values: { store: "9", item: "2", sales: 11 } });
    const { data: after, error } = await callRoute<Dataset>(CORRECT, {
      method: "PATCH",
      params,
      as,
      body: { set: [{ row: 31, values: { sales: 99 } }], delete: [120] },
    });
    expect(error).toBeUndefined();
    expect(after).toMatchObject({ rowCount: 119, series: { count: 4, minRows: 29 } });
    const changes = await callRoute<DatasetChanges>(CHANGES, {
      params: { projectId, versionId: after.id },
      as,
      query: { sinceId: before.id },
    });
    expect(changes.data).toMatchObject({
      rowCount: { added: 0, removed: 1, changed: 1 },
      rows: [
        { kind: "changed", row: 31, series: { store: "9", item: "2" } },
        { kind: "removed", row: 120, series: { store: "10", item: "2" } },
      ],
    });
    const renamed = await callRoute<Dataset>(CORRECT, {
      method: "PATCH",
      params,
      as,
      body: { set: [{ row: 1, values: { item: "2" } }] },
    });
    expect(renamed.error?.details).toMatchObject([{ code: "timestamps_duplicate" }]);
  });
});

describe("appended rows of a dataset of many series", () => {
  it("continue each series, replace planned rows and may bring new series", async () => {
    const planned = `${day(30)},9,1,north,`;
    await put([...rowsOf(range(30)), planned]);
    const added = [`${day(30)},9,1,north,7`, `${day(31)},9,1,north,8`, ...rowsOf(range(2, 30), [11])];
    const { data, error } = await append(...added);
    expect(error).toBeUndefined();
    expect(data).toMatchObject({ rowCount: 126, plannedRows: 0, series: { count: 6 } });
    expect(data.warnings).toMatchObject([{ code: "new_series", rows: 4 }, { code: "series_short" }]);
    expect(data.warnings[0]?.message).toContain(
      '2 series (store "11", item "1"; store "11", item "2") are new',
    );
    expect(await storedTexts()).toContain(`${day(30)},9,1,north,7`);
  });

  it("must be after the last target of their series, once each", async () => {
    await put(rowsOf(range(30)));
    const { error } = await append(
      ...rowsOf([29], [9]),
      `${day(30)},10,1,south,1`,
      `${day(30)},10,1,south,1`,
    );
    expect(error?.details?.map(({ row, code }) => [row, code])).toEqual([
      [1, "timestamps_unsorted"],
      [2, "timestamps_unsorted"],
      [4, "timestamps_duplicate"],
    ]);
    const nameless = await append(`${day(30)},,1,south,1`);
    expect(nameless.error?.details).toMatchObject([{ row: 1, column: "store", code: "missing_value" }]);
  });
});
