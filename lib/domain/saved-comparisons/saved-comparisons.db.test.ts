import fc from "fast-check";
import { expect, test } from "vitest";
import type { SavedComparison } from "#lib/contract/saved-comparisons";
import { deleteScenario } from "#lib/domain/scenarios/delete-scenario";
import { callRoute, createProject, createUser, testContext } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { storeScenario } from "#testing/stored-scenario";
import { waitForLock } from "#testing/wait-for-lock";
import {
  DELETE as deleteRoute,
  GET as getRoute,
  PATCH as patchRoute,
} from "../../../app/api/v1/projects/[projectId]/comparisons/[comparisonId]/route.ts";
import {
  POST as createRoute,
  GET as listRoute,
} from "../../../app/api/v1/projects/[projectId]/comparisons/route.ts";

const { sql } = await createTestDatabase({ max: 20 });
const admin = await createUser();

const series = { prediction: Float64Array.of(1, 2), timestamps: null, lower: null, upper: null };
const addScenario = (projectId: string) => storeScenario(projectId, series);

/** Creates a project with scenarios. */
async function withScenarios(count: number) {
  const { id: projectId } = await createProject();
  const ids: string[] = [];
  for (let index = 0; index < count; index++) ids.push(await addScenario(projectId));
  return { projectId, ids };
}

const save = (projectId: string, body: object) =>
  callRoute<SavedComparison>(createRoute, { params: { projectId }, body, as: admin });
const of = (projectId: string, comparisonId: string) => ({ params: { projectId, comparisonId }, as: admin });
const read = (projectId: string, id: string) => callRoute<SavedComparison>(getRoute, of(projectId, id));
const patch = (projectId: string, id: string, body: object, headers: Record<string, string> = {}) =>
  callRoute<SavedComparison>(patchRoute, {
    ...of(projectId, id),
    body,
    headers: { "content-type": "application/json", ...headers },
  });

test("saves, lists, renames and deletes a comparison, and keeps the order of its scenarios", async () => {
  const { projectId, ids } = await withScenarios(3);
  const [a, b, c] = ids as [string, string, string];
  const saved = await save(projectId, { name: " Winter ", scenarioIds: [c, a.toUpperCase()] });
  expect([saved.status, saved.data.name, saved.data.scenarioIds]).toEqual([201, "Winter", [c, a]]);
  const { id } = saved.data;
  expect((await patch(projectId, id, { name: "Summer" })).data).toMatchObject({ scenarioIds: [c, a] });
  expect((await patch(projectId, id, { scenarioIds: [b, c, a] })).data).toMatchObject({ name: "Summer" });
  const listed = await callRoute<SavedComparison[]>(listRoute, { params: { projectId }, as: admin });
  expect(listed.data).toEqual([(await read(projectId, id)).data]);
  expect(listed.data[0]!.scenarioIds).toEqual([b, c, a]);
  expect((await callRoute(deleteRoute, of(projectId, id))).data).toEqual(listed.data[0]);
  expect((await read(projectId, id)).error?.code).toBe("comparison_not_found");
});

test("rejects names that are not visible text, and lists of fewer than 2, more than 20 or repeated scenarios", async () => {
  const { projectId, ids } = await withScenarios(21);
  const [a, b] = ids as [string, string];
  for (const [body, field] of [
    [{ name: "\u200B", scenarioIds: [a, b] }, "name"],
    [{ name: "two\nlines", scenarioIds: [a, b] }, "name"],
    [{ name: "x".repeat(101), scenarioIds: [a, b] }, "name"],
    [{ name: "x", scenarioIds: [a] }, "scenarioIds"],
    [{ name: "x", scenarioIds: ids }, "scenarioIds"],
    [{ name: "x", scenarioIds: [a, a.toUpperCase()] }, "scenarioIds"],
  ] as const) {
    const { error } = await save(projectId, body);
    expect([error?.code, error?.details?.[0]?.field]).toEqual(["validation_failed", field]);
  }
  const other = await withScenarios(1);
  const { error } = await save(projectId, { name: "x", scenarioIds: [a, other.ids[0]] });
  expect(error).toMatchObject({
    code: "scenario_not_found",
    details: [{ field: "scenarioIds", id: other.ids[0] }],
  });
});

test("a deleted scenario leaves its comparisons, and the others keep their order", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 2, max: 6 }).chain((count) =>
        fc.record({
          count: fc.constant(count),
          lists: fc.array(fc.shuffledSubarray([...Array(count).keys()], { minLength: 2 }), {
            minLength: 1,
            maxLength: 3,
          }),
          deleted: fc.subarray([...Array(count).keys()]),
        }),
      ),
      async ({ count, lists, deleted }) => {
        const { projectId, ids } = await withScenarios(count);
        const saved: SavedComparison[] = [];
        for (const list of lists) {
          const scenarioIds = list.map((index) => ids[index]!);
          saved.push((await save(projectId, { name: "x", scenarioIds })).data);
        }
        const gone = deleted.map((index) => ids[index]!);
        await Promise.all(gone.map((scenarioId) => deleteScenario(testContext(), { projectId, scenarioId })));
        for (const { id, scenarioIds } of saved) {
          const { data } = await read(projectId, id);
          expect(data.scenarioIds).toEqual(scenarioIds.filter((one) => !gone.includes(one)));
        }
      },
    ),
    { numRuns: 15 },
  );
});

test("a project keeps at most 100 comparisons, however many are saved at once", async () => {
  const { projectId, ids } = await withScenarios(2);
  const body = { name: "Same", scenarioIds: ids };
  for (let count = 0; count < 95; count++) await save(projectId, body);
  const answers = await Promise.all(Array.from({ length: 12 }, () => save(projectId, body)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(5);
  for (const { error } of answers.filter(({ status }) => status !== 201)) {
    expect(error).toMatchObject({ code: "comparison_limit_reached" });
  }
  const [first] = answers.filter(({ status }) => status === 201);
  await callRoute(deleteRoute, of(projectId, first!.data.id));
  expect((await save(projectId, body)).status).toBe(201);
});

test("concurrent changes with the same If-Match: one succeeds, and the rows stay consistent", async () => {
  const { projectId, ids } = await withScenarios(4);
  const { data } = await save(projectId, { name: "Start", scenarioIds: ids });
  for (let round = 0; round < 8; round++) {
    const etag = (await read(projectId, data.id)).headers.get("etag")!;
    const pair = [ids[round % 4], ids[(round + 1) % 4]];
    const bodies = [
      { name: `A ${round}` },
      // Another pair in each round: the same scenarios again would keep the entity tag.
      { scenarioIds: round < 4 ? pair : pair.toReversed() },
      { name: `B ${round}` },
    ];
    const answers = await Promise.all(
      bodies.map((body) => patch(projectId, data.id, body, { "if-match": etag })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412, 412]);
  }
});

test("saving a comparison while its scenario is deleted never leaves a deleted scenario in it", async () => {
  for (let round = 0; round < 8; round++) {
    const { projectId, ids } = await withScenarios(3);
    const [, answer] = await Promise.all([
      deleteScenario(testContext(), { projectId, scenarioId: ids[0]! }),
      save(projectId, { name: "Race", scenarioIds: ids }),
    ]);
    if (answer.status !== 201) expect(answer.error?.code).toBe("scenario_not_found");
    else expect((await read(projectId, answer.data.id)).data.scenarioIds).toEqual(ids.slice(1));
  }
  const members = await sql`select from comparison_scenarios m join scenarios s on s.id = m.scenario_id
    where s.deleted_at is not null`;
  expect(members).toHaveLength(0);
});

test("the database alone removes a deleted scenario while another connection adds it", async () => {
  const { projectId, ids } = await withScenarios(3);
  const { data } = await save(projectId, { name: "Race", scenarioIds: ids.slice(1) });
  let removed: Promise<unknown> | undefined;
  await sql.begin(async (tx) => {
    await tx`insert into comparison_scenarios values (${projectId}, ${data.id}, 5, ${ids[0]!})`;
    removed = deleteScenario(testContext(), { projectId, scenarioId: ids[0]! });
    await waitForLock(sql);
  });
  await removed;
  expect((await read(projectId, data.id)).data.scenarioIds).toEqual(ids.slice(1));
});
