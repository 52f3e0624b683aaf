import { expect, it } from "vitest";
import type { Dataset } from "#lib/contract/datasets";
import type { ListedSeries } from "#lib/contract/series";
import { callRoute, createKey, createProject } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { base64, createTrainedProject } from "#testing/scenario-factory";
import { PUT } from "../../../app/api/v1/projects/[projectId]/dataset/route.ts";
import { POST } from "../../../app/api/v1/projects/[projectId]/dataset/rows/route.ts";
import { GET } from "../../../app/api/v1/projects/[projectId]/series/route.ts";

await createTestDatabase();
const { id: projectId } = await createProject();
const as = await createKey({ projectId });
const params = { projectId };

const day = (at: number) => new Date(Date.UTC(2024, 0, 1 + at)).toISOString().slice(0, 10);
const rowsOf = (store: string, item: string, days: readonly number[]) =>
  days.map((at) => `${day(at)},${store},${item},${at}`);
const range = (count: number, from = 0) => Array.from({ length: count }, (_, at) => from + at);
const file = (lines: readonly string[]) => base64(["day,store,item,sales", ...lines].join("\n"));
const lines = [
  ...rowsOf("Vienna", "10", range(30)),
  ...rowsOf(
    "Vienna",
    "9",
    range(30).filter((at) => at !== 5 && at !== 6),
  ),
  ...rowsOf("Berlin", "9", range(12, 18)),
];
const list = (query: Record<string, string> = {}) => callRoute<ListedSeries[]>(GET, { params, as, query });
const names = ({ data }: { data: ListedSeries[] }) =>
  data.map(({ values }) => Object.values(values).join(" "));
const put = (options: object) =>
  callRoute<Dataset>(PUT, {
    method: "PUT",
    params,
    as,
    body: { fileData: file(lines), target: "sales", timestamp: "day", ...options },
  });

it("is empty without a dataset, and for one series", async () => {
  expect((await list()).data).toEqual([]);
  const one = { fileData: file(lines.slice(0, 30)) };
  expect((await put(one)).data.series).toBeNull();
  expect((await list()).data).toEqual([]);
});

it("lists series with their rows, times and gaps, and keeps their IDs over versions", async () => {
  await put({ series: ["store", "item"] });
  const before = await list();
  expect(before.data).toMatchObject([
    { values: { store: "Berlin", item: "9" }, rowCount: 12, gaps: 0 },
    {
      values: { store: "Vienna", item: "9" },
      rowCount: 28,
      firstTimestamp: `${day(0)}T00:00:00.000Z`,
      lastTimestamp: `${day(29)}T00:00:00.000Z`,
      gaps: 2,
      metrics: null,
    },
    { values: { store: "Vienna", item: "10" }, rowCount: 30 },
  ]);
  const { status } = await callRoute(POST, {
    params,
    as,
    body: { fileData: file(rowsOf("Aachen", "1", [30])) },
  });
  expect(status).toBe(200);
  const after = await list();
  expect(after.data.slice(1)).toEqual(before.data);
});

it("searches, sorts and pages", async () => {
  await put({ series: ["store", "item"] });
  expect(names(await list({ search: "9 vIEN" }))).toEqual(["Vienna 9"]);
  expect(names(await list({ search: "Rome" }))).toEqual([]);
  expect(names(await list({ sort: "gaps" }))).toEqual(["Vienna 9", "Berlin 9", "Vienna 10"]);
  expect(names(await list({ sort: "rowCount" }))).toEqual(["Vienna 10", "Vienna 9", "Berlin 9"]);
  expect(names(await list({ order: "desc" }))).toEqual(["Vienna 10", "Vienna 9", "Berlin 9"]);
  expect((await list({ sort: "unknown" })).status).toBe(400);
  const found: string[] = [];
  for (let cursor: string | undefined | null; cursor !== null; ) {
    const page = await list({ limit: "2", ...(cursor && { cursor }) });
    found.push(...names(page));
    const link = /<([^>]+)>/.exec(page.headers.get("link") ?? "")?.[1];
    cursor = link === undefined ? null : new URL(link).searchParams.get("cursor");
  }
  expect(found).toEqual(["Berlin 9", "Vienna 9", "Vienna 10"]);
});

it("shows the metrics of every series, sorts by them, and lists series without back-tests last", async () => {
  const stores = range(30).map((at) => `S${at}`);
  const csv = stores.flatMap((store, at) =>
    range(80).map((on) => `${day(on)},${store},${10 * (at + 1) + (on % 7) + ((on * 7919 * (at + 1)) % 5)}`),
  );
  // Begins after the last origin.
  csv.push(...range(2, 78).map((on) => `${day(on)},new,5`));
  const project = await createTrainedProject({
    csv: ["day,store,sales", ...csv].join("\n"),
    target: "sales",
    timestamp: "day",
    series: ["store"],
    request: {},
  });
  const listed = async (query: Record<string, string>) =>
    (
      await callRoute<ListedSeries[]>(GET, {
        params: { projectId: project.projectId },
        as: project.as,
        query,
      })
    ).data;
  const all = await listed({});
  expect(all).toHaveLength(31);
  for (const { values, metrics } of all) {
    if (values.store === "new") expect(metrics).toBeNull();
    else expect(metrics!.wape).toBeLessThan(0.5);
  }
  for (const sort of ["mase", "wape", "bias", "actual"])
    for (const order of ["asc", "desc"]) {
      const found = await listed({ sort, order });
      const values = found.map(({ metrics }) => metrics?.[sort] ?? null);
      const known = values.filter((value) => value !== null);
      expect(values.indexOf(null)).toBe(known.length);
      const sign = order === "asc" ? 1 : -1;
      expect(known).toEqual(known.toSorted((a, b) => sign * (a - b)));
    }
  expect((await listed({ sort: "actual", limit: "1" }))[0]!.values.store).toBe("S29");
});
