import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { callRoute, createUser } from "#testing/api";
import { follow, nextAddress } from "#testing/follow-link";
import { addListRow, listTables, removeListRow } from "#testing/list-rows";
import { createPopulatedProject } from "#testing/populated-project";
import { createTestDatabase } from "#testing/postgres";
import { type RouteCase, routeCases } from "#testing/route-cases";
import { validCalls } from "#testing/valid-calls";

const { sql } = await createTestDatabase();
const cases = (await routeCases()).map((item) => [item.handler.declaration.operationId, item] as const);

const admin = await createUser();
const own = await createPopulatedProject();

/** Row times to draw from, two of them a microsecond apart. */
const times = [
  "2020-01-01 00:00:00.000001Z",
  "2020-01-01 00:00:00.000002Z",
  "2020-01-01 00:00:00.001Z",
  "2099-01-01Z",
];
const time = fc.constantFrom(...times);
const change = fc.oneof(fc.record({ add: time }), fc.record({ remove: fc.nat() }));
const walk = fc.record({
  before: fc.array(time, { maxLength: 12 }),
  pages: fc.array(
    fc.record({ limit: fc.integer({ min: 1, max: 5 }), changes: fc.array(change, { maxLength: 3 }) }),
    {
      minLength: 1,
    },
  ),
});

type Rows = { id: string }[];

describe.each(cases.filter(([operation]) => operation in listTables))("%s", (operation, item: RouteCase) => {
  const rowsOf = async (query: Record<string, string>) => {
    const { params = {} } = await validCalls[item.name]!(own);
    return callRoute<Rows>(item.handler, { ...item.call({ params, query }), as: admin });
  };

  test("returns every row that exists throughout exactly once, despite concurrent inserts and deletes", async () => {
    const [template] = (await rowsOf({ limit: "200" })).data.slice(-1);
    await fc.assert(
      fc.asyncProperty(walk, async ({ before, pages }) => {
        const added: string[] = [];
        const add = async (at: string) => {
          const id = await addListRow(sql, operation, { like: template!.id, time: at });
          if (id !== null) added.push(id);
        };
        for (const at of before) await add(at);
        const throughout = new Set((await rowsOf({ limit: "200" })).data.map(({ id }) => id));
        const seen: string[] = [];
        let page = await rowsOf({ limit: String(pages[0]!.limit) });
        for (let pageNumber = 0; ; pageNumber++) {
          seen.push(...page.data.map(({ id }) => id));
          expect(new Set(seen).size).toBe(seen.length);
          const next = nextAddress(page);
          if (next === null) break;
          const { limit, changes } = pages[pageNumber % pages.length]!;
          for (const one of pageNumber < 20 ? changes : []) {
            if ("add" in one) await add(one.add);
            else if (added.length > 0) {
              const [gone] = added.splice(one.remove % added.length, 1);
              throughout.delete(gone!);
              await removeListRow(sql, operation, gone!);
            }
          }
          next.searchParams.set("limit", String(limit));
          page = await follow<Rows>(item.handler, next, { ...(await callOf(item)), as: admin });
          expect(page.status, page.text).toBe(200);
        }
        for (const id of added) await removeListRow(sql, operation, id);
        expect([...throughout].filter((id) => !seen.includes(id))).toEqual([]);
      }),
      { numRuns: 12 },
    );
  });
});

const callOf = async (item: RouteCase) =>
  item.call({ params: (await validCalls[item.name]!(own)).params ?? {} });

test("returns predictions in the order of the input for all page sizes", async () => {
  const item = cases.find(([operation]) => operation === "listPredictions")![1];
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 3 }), { minLength: 1 }), async (sizes) => {
      const call = { ...(await callOf(item)), as: admin };
      const seen: number[] = [];
      let page = await callRoute<{ row: number }[]>(item.handler, {
        ...call,
        query: { limit: String(sizes[0]) },
      });
      for (let pageNumber = 1; ; pageNumber++) {
        seen.push(...page.data.map(({ row }) => row));
        const next = nextAddress(page);
        if (next === null) break;
        next.searchParams.set("limit", String(sizes[pageNumber % sizes.length]));
        page = await follow(item.handler, next, call);
      }
      expect(seen).toEqual([1, 2, 3]);
    }),
    { numRuns: 20 },
  );
});
