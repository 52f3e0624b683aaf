import { eq } from "drizzle-orm";
import fc from "fast-check";
import { expect, test } from "vitest";
import { auditLog } from "#db/schema/access";
import type { Scenario } from "#lib/contract/scenarios";
import { callRoute } from "#testing/api";
import { createPopulatedProject, inputCsv } from "#testing/populated-project";
import { createTestDatabase } from "#testing/postgres";
import { base64, getScenario, postScenario } from "#testing/scenario-factory";
import {
  GET as getRoute,
  PATCH as patchRoute,
} from "../../../app/api/v1/projects/[projectId]/scenarios/[scenarioId]/route.ts";

const { db } = await createTestDatabase();
const own = await createPopulatedProject();

const patch = (body: object, headers: Record<string, string> = {}) =>
  callRoute<Scenario>(patchRoute, {
    params: { projectId: own.projectId, scenarioId: own.scenarioId },
    as: own.as,
    body,
    headers: { "content-type": "application/json", ...headers },
  });

test("stores tags and notes at creation, and changes them later", async () => {
  const { checkpointId } = own;
  const given = { tags: ["  board ", "Q1"], notes: "First\nsecond" };
  const { data } = await postScenario(own, { checkpointId, fileData: base64(inputCsv), ...given });
  expect(await getScenario(own, data.scenarioId)).toMatchObject({
    tags: ["board", "Q1"],
    notes: given.notes,
  });
  expect(await getScenario(own, own.scenarioId)).toMatchObject({ tags: [], notes: null });
  expect((await patch({ tags: ["Q2"] })).data).toMatchObject({ tags: ["Q2"], notes: null });
  expect((await patch({ notes: "Read" })).data).toMatchObject({ tags: ["Q2"], notes: "Read" });
  expect((await patch({ tags: [], notes: null })).data).toMatchObject({ tags: [], notes: null });
});

test("archives and restores a scenario, and records both changes", async () => {
  const { entityId, changes } = { entityId: own.scenarioId, changes: [] as unknown[] };
  for (const archived of [true, true, false]) {
    expect((await patch({ archived })).data).toMatchObject({ archived, title: expect.any(String) });
    expect(await getScenario(own, own.scenarioId)).toMatchObject({ archived });
  }
  for (const row of await db.select().from(auditLog).where(eq(auditLog.entityId, entityId))) {
    changes.push(...(row.changes ?? []).filter(({ field }) => field === "archived"));
  }
  expect(changes).toEqual([
    { field: "archived", from: false, to: true },
    { field: "archived", from: true, to: false },
  ]);
  expect((await patch({ archived: "yes" })).error?.details?.[0]?.field).toBe("archived");
  expect((await patch({ archived: null })).status).toBe(400);
});

test("accepts any ten distinct lines of visible text, and rejects every other list", async () => {
  const tag = fc.oneof(
    fc.constantFrom("a", "A", " a", "ä", "a\u0308", "", " ", "two\nlines", "\u200B", "x".repeat(51), "👩‍💻"),
    fc.string({ unit: "grapheme", maxLength: 60 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(tag, { maxLength: 12 }), async (tags) => {
      const answer = await patch({ tags });
      if (answer.status === 200) {
        expect(answer.data.tags).toEqual(tags.map((one) => one.trim()));
        expect(new Set(answer.data.tags).size).toBe(tags.length);
        expect(tags.length).toBeLessThanOrEqual(10);
        for (const one of answer.data.tags) expect(one).toMatch(/^[^\n\u200B]{1,50}$/u);
      } else {
        expect([answer.status, answer.error?.code], answer.text).toEqual([400, "validation_failed"]);
        expect(answer.error?.details?.every(({ field }) => field?.startsWith("tags"))).toBe(true);
      }
    }),
    { numRuns: 200 },
  );
});

test("lets one of two concurrent changes based on the same reading succeed", async () => {
  for (let round = 0; round < 10; round++) {
    const params = { projectId: own.projectId, scenarioId: own.scenarioId };
    const etag = (await callRoute(getRoute, { params, as: own.as })).headers.get("etag")!;
    const answers = await Promise.all(
      ["x", "y", "z"].map((tag) => patch({ tags: [`${tag} ${round}`] }, { "if-match": etag })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412, 412]);
    const kept = answers.find(({ status }) => status === 200)!.data.tags;
    expect((await getScenario(own, own.scenarioId)).tags).toEqual(kept);
  }
});
