import { eq } from "drizzle-orm";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { scenarioRuns, scenarios } from "#db/schema/scenarios";
import { type ScenarioFilters, scenarioSorts } from "#lib/contract/scenario-list";
import type { Scenario } from "#lib/contract/scenarios";
import { database } from "#lib/platform/database/process-database";
import { type Caller, callRoute, createProject, createUser, testContext } from "#testing/api";
import { follow, nextAddress } from "#testing/follow-link";
import { createTestDatabase } from "#testing/postgres";
import { storeScenario } from "#testing/stored-scenario";
import { GET as filtersRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/filters/route.ts";
import { GET as listRoute } from "../../../app/api/v1/projects/[projectId]/scenarios/route.ts";
import { deleteScenario } from "./delete-scenario.ts";

await createTestDatabase();
const titles = ["Warm winter", "warm Summer", "Kälte 100 %", "a_b", "Warm winter", "Ωmega\\"];
const tags = ["board", "winter", "Winter", "100 %"];
const sources = ["Upload", "Generated", "Clone"] as const;

let projectId: string;
let admin: Caller;
let all: Scenario[];
beforeAll(async () => {
  admin = await createUser();
  projectId = (await createProject()).id;
  await storeScenario((await createProject()).id, seriesOf(Float64Array.of(1)), "Of another project");
  for (let index = 0; index < 24; index++) {
    const prediction = Float64Array.from({ length: 1 + (index % 4) }, (_, row) => row + (index % 5));
    const id = await storeScenario(projectId, seriesOf(prediction), titles[index % titles.length]);
    await change(id, {
      tags: tags.filter((_, bit) => index & (1 << bit)),
      source: sources[index % 3]!,
      notes: index % 2 ? "Seen by the board\non Monday" : null,
      createdBy: `user ${index % 3}`,
      archived: index % 5 === 0,
    });
  }
  all = (await list({ limit: "200" })).data;
});

const seriesOf = (prediction: Float64Array) => ({ prediction, timestamps: null, lower: null, upper: null });

/** Changes fields that an operation of the service never changes. */
const change = (id: string, fields: Partial<typeof scenarios.$inferInsert>) =>
  database().transaction(async (tx) => {
    await tx.execute("set local session_replication_role = replica");
    await tx.update(scenarios).set(fields).where(eq(scenarios.id, id));
  });

const summarize = (id: string, summary: Scenario["summary"]) =>
  database().transaction(async (tx) => {
    await tx.execute("set local session_replication_role = replica");
    await tx.update(scenarioRuns).set({ summary }).where(eq(scenarioRuns.scenarioId, id));
  });

type Query = Record<string, string | string[]>;
const list = (query: Query) => callRoute<Scenario[]>(listRoute, { params: { projectId }, query, as: admin });

/** Follows a list to its end, in pages of `limit`. */
async function walk(query: Query, limit: number): Promise<Scenario[]> {
  let page = await list({ ...query, limit: String(limit) });
  const seen = [...page.data];
  for (let next = nextAddress(page); next !== null; next = nextAddress(page)) {
    page = await follow(listRoute, next, { params: { projectId }, as: admin });
    seen.push(...page.data);
  }
  return seen;
}

const some = <T>(values: readonly T[]) => fc.option(fc.subarray([...values], { minLength: 1, maxLength: 2 }));
const filters = fc.record({
  search: fc.option(
    fc.constantFrom("WARM", "inter war", "100 %", "_", "\\", "monday board", "ä", " ", "none"),
  ),
  source: some(sources),
  tag: some(tags),
  createdBy: some(["user 0", "user 1", "nobody"]),
  status: some(["Completed", "Failed"]),
  archived: fc.option(fc.constantFrom("true", "false")),
});
const textOf = ({ title, notes, tags }: Scenario) => [title, notes ?? "", ...tags].join("\n").toLowerCase();
const sortedBy: Record<(typeof scenarioSorts)[number], (scenario: Scenario) => string | number> = {
  createdAt: ({ createdAt }: Scenario) => createdAt,
  title: ({ title }: Scenario) => title.toLowerCase(),
  rowCount: ({ rowCount }: Scenario) => rowCount!,
  mean: ({ summary }: Scenario) => summary!.mean!,
};

test("returns exactly the scenarios that pass every filter, once, in every order and page size", async () => {
  const order = fc.record({
    sort: fc.constantFrom(...scenarioSorts),
    order: fc.constantFrom("asc", "desc"),
    limit: fc.integer({ min: 1, max: 30 }),
  });
  await fc.assert(
    fc.asyncProperty(filters, order, async (given, { sort, order, limit }) => {
      const query = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)) as Query;
      const seen = await walk({ ...query, sort, order }, limit);
      const passing = all.filter(
        (one) =>
          (given.search ?? "")
            .toLowerCase()
            .split(" ")
            .every((word) => textOf(one).includes(word)) &&
          (given.source?.includes(one.source) ?? true) &&
          (given.tag?.every((tag) => one.tags.includes(tag)) ?? true) &&
          (given.createdBy?.includes(one.createdBy) ?? true) &&
          (given.status?.includes(one.status) ?? true) &&
          (given.archived ?? String(one.archived)) === String(one.archived),
      );
      expect(new Set(seen.map(({ id }) => id))).toEqual(new Set(passing.map(({ id }) => id)));
      expect(seen).toHaveLength(passing.length);
      const values = seen.map(sortedBy[sort]);
      if (sort === "title") return; // The database's collation decides.
      const sign = order === "asc" ? 1 : -1;
      for (const [at, value] of values.slice(1).entries())
        expect(sign * (value < values[at]! ? -1 : value > values[at]! ? 1 : 0)).toBeGreaterThanOrEqual(0);
    }),
    { numRuns: 60 },
  );
});

test("sorts titles ascending by default, and scenarios without a value last", async () => {
  const sorted = (await list({ sort: "title" })).data.map(({ title }) => title.toLowerCase());
  expect(sorted.indexOf("warm winter")).toBeGreaterThan(sorted.indexOf("warm summer"));
  const id = all[5]!.id;
  const { summary } = all[5]!;
  await summarize(id, { ...summary!, mean: null });
  for (const order of ["asc", "desc"]) {
    expect((await walk({ sort: "mean", order }, 7)).at(-1)!.id).toBe(id);
  }
  await summarize(id, summary);
});

test("finds a file name with decomposed accents by composed ones, and the other way round", async () => {
  const [{ id }] = all as [Scenario];
  await change(id, { fileName: "Kälteprognose é.csv".normalize("NFD") });
  for (const form of ["NFC", "NFD"])
    expect((await list({ search: "KÄLTEPROGNOSE É".normalize(form) })).data.map((one) => one.id)).toEqual([
      id,
    ]);
  await change(id, { fileName: null });
});

test("rejects a cursor of another order or filter, and unknown values", async () => {
  const cursor = nextAddress(await list({ sort: "title", limit: "1" }))!.searchParams.get("cursor")!;
  expect((await list({ sort: "title", cursor, limit: "9" })).status).toBe(200);
  for (const query of [{ cursor }, { sort: "mean", cursor }, { sort: "title", tag: "board", cursor }]) {
    expect((await list(query)).error?.details?.[0]?.field).toBe("cursor");
  }
  for (const query of [
    { sort: "color" },
    { order: "up" },
    { source: "Magic" },
    { checkpointId: "x" },
    { archived: "yes" },
  ] as const) {
    expect((await list(query)).error?.code).toBe("validation_failed");
  }
});

test("returns the tags and creators in use, and forgets those of deleted scenarios", async () => {
  const filters = async () =>
    (await callRoute<ScenarioFilters>(filtersRoute, { params: { projectId }, as: admin })).data;
  const count = (tag: string) => all.filter((one) => one.tags.includes(tag)).length;
  const before = await filters();
  expect(Object.fromEntries(before.tags.map((one) => [one.tag, one.count]))).toEqual(
    Object.fromEntries(tags.map((tag) => [tag, count(tag)])),
  );
  expect(before.authors).toEqual(["user 0", "user 1", "user 2"].map((id) => ({ id, name: null, count: 8 })));
  expect(before.archived).toBe(5);
  const gone = all.find((one) => one.tags.includes("100 %"))!;
  await deleteScenario(testContext(), { projectId, scenarioId: gone.id });
  const after = await filters();
  expect(after.tags.find(({ tag }) => tag === "100 %")!.count).toBe(count("100 %") - 1);
  all = all.filter(({ id }) => id !== gone.id);
});
