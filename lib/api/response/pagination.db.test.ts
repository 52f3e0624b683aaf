import { describe, expect, test } from "vitest";
import { z } from "zod";
import { limits } from "#lib/contract/limits";
import { putDataset } from "#lib/domain/datasets/put-dataset";
import { callRoute, createUser, type RouteAnswer, testContext } from "#testing/api";
import { follow, nextAddress } from "#testing/follow-link";
import { addListRow, addListRows, listTables } from "#testing/list-rows";
import { createPopulatedProject } from "#testing/populated-project";
import { createTestDatabase } from "#testing/postgres";
import { type RouteCase, routeCases } from "#testing/route-cases";
import { base64 } from "#testing/scenario-factory";
import { validCalls } from "#testing/valid-calls";

// Every list returns an array in `data`, and a `Link` header if more results exist. `?limit=` (default 50, at most
// 200), `?cursor=`. The next cursor is in the header `Link: <…>; rel="next"`.

const { sql } = await createTestDatabase();
const cases = await routeCases();
const isList = (schema: unknown): boolean =>
  schema instanceof z.ZodArray || (schema instanceof z.ZodUnion && schema.options.some(isList));
/** Whether a list is computed for the request. The operation limits its length itself. */
const isComputed = (operation: string) => ["getScenarioOutlook", "listDecisions"].includes(operation);
const lists = cases
  .filter(({ method, handler }) => method === "GET" && isList(handler.declaration.response))
  .filter(({ handler }) => !isComputed(handler.declaration.operationId))
  .map((item) => [item.handler.declaration.operationId, item] as const);
const ofRows = lists.filter(([operation]) => operation in listTables);

const admin = await createUser();
const own = await createPopulatedProject();
await putDataset(testContext(), {
  projectId: own.projectId,
  fileData: base64("day,store,demand\n2024-01-01,A,1\n2024-01-01,B,2\n"),
  target: "demand",
  timestamp: "day",
  series: ["store"],
});
const other = await createPopulatedProject();
// Every list has more than one row.
for (const [operation, item] of ofRows) {
  const [like] = (await ask(item, {})).data;
  await addListRow(sql, operation, { like: like!.id, time: "2020-01-01T00:00:00Z" });
}

type Rows = { id: string }[];
type Query = Record<string, string | string[]>;
async function ask(item: RouteCase, query: Query, project = own) {
  const { params = {} } = await validCalls[item.name]!(project);
  return callRoute<Rows>(item.handler, { ...item.call({ params, query }), as: admin });
}
const namesField = (answer: RouteAnswer, field: string) => {
  expect([answer.status, answer.error?.code], answer.text).toEqual([400, "validation_failed"]);
  expect(answer.error?.details?.map((detail) => detail.field)).toEqual([field]);
};
const cursorIn = (answer: RouteAnswer) => nextAddress(answer)!.searchParams.get("cursor")!;

test("every list supports limit and cursor, and every list of rows is tested", () => {
  for (const [, { handler }] of lists) {
    const { query } = handler.declaration;
    expect(Object.keys((query as z.ZodObject).shape)).toEqual(expect.arrayContaining(["limit", "cursor"]));
  }
  expect(lists.map(([operation]) => operation).filter((name) => !(name in listTables))).toEqual([
    "listPredictions",
    "listSeries",
  ]);
  expect(ofRows).toHaveLength(Object.keys(listTables).length);
});

describe.each(lists)("%s", (_operation, item) => {
  test.each(["0", "-1", "10001", "1.5", "abc", "", " 1", "1 ", "+1", "1e1", "0x1", "١", "NaN"])(
    "rejects the limit %j",
    async (limit) => namesField(await ask(item, { limit }), "limit"),
  );

  test("rejects a repeated limit", async () => {
    namesField(await ask(item, { limit: ["1", "2"] }), "limit");
  });

  test("rejects every cursor that it did not return", async () => {
    const cursor = cursorIn(await ask(item, { limit: "1" }));
    const last = cursor.at(-1)!;
    const spoilt = [
      ...[
        "",
        "nonsense",
        "W10",
        "0",
        "[]",
        "../..",
        "x".repeat(500),
        cursor.slice(0, -1),
        `${cursor}A`,
        `${cursor}=`,
      ],
      ...["A", "B", "_"].map((one) => `${one === cursor[0] ? "C" : one}${cursor.slice(1)}`),
      // Another spelling of the same bytes.
      ...[..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"]
        .filter((one) => one !== last)
        .map((one) => `${cursor.slice(0, -1)}${one}`),
    ];
    for (const one of spoilt) namesField(await ask(item, { cursor: one }), "cursor");
    namesField(await ask(item, { cursor: [cursor, cursor] }), "cursor");
    for (const [name, another] of lists) {
      if (name !== item.handler.declaration.operationId) namesField(await ask(another, { cursor }), "cursor");
    }
    if (item.ids.length > 0) namesField(await ask(item, { cursor }, other), "cursor");
    expect((await ask(item, { limit: "1", cursor })).status).toBe(200);
  });
});

describe.each(ofRows)("%s", (operation, item) => {
  test("returns Link only if more results exist, and leads to the end", async () => {
    const all = await ask(item, { limit: "200" });
    expect([Array.isArray(all.data), nextAddress(all)]).toEqual([true, null]);
    const seen: Rows = [];
    let page = await ask(item, { limit: "1" });
    for (;;) {
      expect(page.data).toHaveLength(1);
      seen.push(...page.data);
      const next = nextAddress(page);
      if (next === null) break;
      page = await follow(item.handler, next, { ...item.call({ params: await paramsOf(item) }), as: admin });
    }
    expect(seen).toEqual(all.data);
    expect(nextAddress(await ask(item, { limit: String(seen.length) }))).toBeNull();
  });

  test("returns 50 rows per page by default, and at most 200", async () => {
    const [like] = (await ask(item, { limit: "1" })).data;
    await addListRows(sql, operation, { like: like!.id, time: "2020-01-01T00:00:00Z" }, 201);
    // One of the 20 checkpoints is not ready yet.
    const few: Record<string, number> = {
      listCheckpoints: 19,
      listComparisons: limits.comparisonsPerProject,
      listOverrides: limits.overridesPerScenario,
      listWebhooks: limits.webhooksPerProject,
    };
    const most = few[operation] ?? 200;
    expect((await ask(item, {})).data).toHaveLength(Math.min(50, most));
    expect((await ask(item, { limit: "200" })).data).toHaveLength(most);
    namesField(await ask(item, { limit: "201" }), "limit");
  });
});

const paramsOf = async (item: RouteCase) => (await validCalls[item.name]!(own)).params ?? {};

describe("the URL in Link", () => {
  const jobs = () => cases.find(({ handler }) => handler.declaration.operationId === "listJobs")!;

  test("works unchanged, with filters in any order", async () => {
    const query = {
      status: ["Pending", "Completed"],
      type: ["CreateScenario", "CreateCheckpoint"],
      limit: "2",
    };
    const first = await ask(jobs(), query);
    const next = nextAddress(first)!;
    expect(next.origin).toBe("http://service.test");
    const { cursor, ...kept } = Object.fromEntries(
      [...next.searchParams.keys()].map((name) => [name, next.searchParams.getAll(name)]),
    );
    expect(kept).toEqual({ ...query, limit: ["2"] });
    const call = { ...jobs().call({ params: await paramsOf(jobs()) }), as: admin };
    const second = await follow<Rows>(jobs().handler, next, call);
    expect(second.status).toBe(200);
    const both = await ask(jobs(), { ...query, limit: "4" });
    expect([...first.data, ...second.data]).toEqual(both.data);
    const { limit: _, ...filters } = query;
    const reordered = {
      cursor: cursor!,
      limit: "2",
      ...Object.fromEntries(Object.entries(filters).reverse()),
    };
    expect((await ask(jobs(), reordered)).data).toEqual(second.data);
  });

  test("is valid only for this list: other filters are another list", async () => {
    const cursor = cursorIn(await ask(jobs(), { status: "Completed", limit: "1" }));
    for (const filters of [
      {},
      { status: "Pending" },
      { status: ["Completed", "Failed"] },
      { type: "TrainModel" },
    ]) {
      namesField(await ask(jobs(), { ...filters, cursor }), "cursor");
    }
  });

  test("has the scheme of the request", async () => {
    const call = jobs().call({ params: await paramsOf(jobs()), query: { limit: "1" } });
    const headers = { ...call.headers, "x-forwarded-proto": "https" };
    const answer = await callRoute(jobs().handler, { ...call, headers, as: own.as });
    expect(nextAddress(answer)!.origin).toBe("https://service.test");
  });
});
