import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { auditLog } from "#db/schema/access";
import { type Caller, callRoute, createKey, createProject } from "#testing/api";
import { createNeighbours, distinguishable } from "#testing/neighbours";
import type { PopulatedProject } from "#testing/populated-project";
import { createTestDatabase } from "#testing/postgres";
import { isForAdmins, type RouteCase, routeCases } from "#testing/route-cases";
import { validCalls } from "#testing/valid-calls";

// A resource of another project returns exactly the response for an unknown resource. A malformed ID in a path returns
// the same response as an unknown ID.

const { db } = await createTestDatabase();
const cases = await routeCases();
const relations = ["stranger", "upstream", "downstream"] as const;

/** Error code of an unknown ID in a path. */
const codes: Record<string, string> = {
  checkpointId: "checkpoint_not_found",
  comparisonId: "comparison_not_found",
  deliveryId: "delivery_not_found",
  jobId: "job_not_found",
  keyId: "api_key_not_found",
  modelId: "model_not_found",
  overrideId: "override_not_found",
  scenarioId: "scenario_not_found",
  uploadId: "upload_not_found",
  userId: "member_not_found",
  versionId: "version_not_found",
  webhookId: "webhook_not_found",
};
/** Sent beside the IDs of one relation only, because they name no resource. */
const malformed = ["not-an-id", " ", "%00", "\0", "..", "a".repeat(5000), randomUUID().slice(1), "id'--"];

const world = await createNeighbours();

/** Prepares a valid request to a route, to send repeatedly with other IDs in the path. */
async function asker(item: RouteCase, project: PopulatedProject) {
  const parts = await validCalls[item.name]!(project);
  return (as: Caller, params: Record<string, string> = {}) =>
    callRoute(item.handler, { ...item.call({ ...parts, params: { ...parts.params, ...params } }), as });
}

test("every ID in a path has a row", () => {
  const names = new Set(cases.flatMap(({ ids }) => ids));
  expect([...names].sort()).toEqual(["projectId", ...Object.keys(codes)].sort());
});

const withThing = cases.flatMap((item) =>
  item.ids.filter((id) => id !== "projectId").map((name) => [`${item.name} ${name}`, item, name] as const),
);

describe.each(withThing)("%s", (_name, item, idName) => {
  const isOpen = !isForAdmins(item.handler);
  const isForKeys = item.handler.declaration.auth !== "session";

  test.each(relations)(
    "returns the same response for a resource of the %s as for an unknown resource",
    async (relation) => {
      const ask = await asker(item, world.own);
      const others = await validCalls[item.name]!(world[relation]);
      // Members belong to the service, not to a project.
      const foreign = idName === "userId" ? null : others.params![idName]!;
      const callers: [Caller, boolean][] = [
        [await createKey({ projectId: world.own.projectId }), isOpen && isForKeys],
        [world.analyst, isOpen],
        [world.admin, true],
      ];
      for (const [as, may] of callers) {
        const answer = await ask(as, { [idName]: randomUUID() });
        const code = may ? codes[idName] : "forbidden";
        expect([answer.status, answer.error?.code]).toEqual([may ? 404 : 403, code]);
        for (const id of relation === "stranger" ? malformed : [])
          expect(distinguishable(await ask(as, { [idName]: id }))).toEqual(distinguishable(answer));
        // Job paths contain no project: a session sees the jobs of all projects.
        if (foreign === null || (idName === "jobId" && as !== callers[0]![0])) continue;
        for (const id of [foreign, foreign.toUpperCase()]) {
          expect(distinguishable(await ask(as, { [idName]: id }))).toEqual(distinguishable(answer));
        }
      }
    },
  );
});

const ofProject = cases
  .filter(({ ids }) => ids.includes("projectId"))
  .map((item): [string, RouteCase] => [item.name, item]);

describe.each(ofProject)("%s", (_name, item) => {
  test.each(relations)("returns the same response for the %s as for an unknown project", async (relation) => {
    const as = await createKey({ projectId: world.own.projectId });
    const unknown = await (await asker(item, world.own))(as, { projectId: randomUUID() });
    expect([unknown.status, unknown.error?.code]).toEqual([404, "project_not_found"]);
    const ask = await asker(item, world[relation]);
    const { projectId } = world[relation];
    const before = await db.$count(auditLog);
    const others = relation === "stranger" ? [randomUUID(), ...malformed] : [];
    for (const id of [projectId, projectId.toUpperCase(), ...others]) {
      expect(distinguishable(await ask(as, { projectId: id }))).toEqual(distinguishable(unknown));
    }
    expect(await db.$count(auditLog)).toBe(before);
  });

  test("returns the same response for a deleted project as for an unknown project", async () => {
    const ask = await asker(item, world.own);
    const { id: projectId } = await createProject({ deletedAt: new Date() });
    const unknown = distinguishable(await ask(world.admin, { projectId: randomUUID() }));
    expect(unknown).toMatchObject({ status: 404, body: expect.stringContaining("project_not_found") });
    for (const as of [world.admin, world.analyst, await createKey({ projectId })]) {
      expect(distinguishable(await ask(as, { projectId }))).toEqual(unknown);
    }
    for (const id of malformed)
      expect(distinguishable(await ask(world.admin, { projectId: id }))).toEqual(unknown);
  });
});

describe("responses to a key in its own project", () => {
  test.each(cases.map((item) => [item.name, item] as const))("%s", async (_name, item) => {
    const { own, stranger, upstream, downstream } = world;
    const { text } = await (await asker(item, own))(await createKey({ projectId: own.projectId }));
    const known = new Set<unknown>([upstream.projectId, upstream.checkpointId]);
    const secrets = [stranger, upstream, downstream].flatMap((project) =>
      Object.values(project)
        .filter((value) => typeof value === "string")
        .filter((value) => !known.has(value)),
    );
    expect(secrets).toHaveLength(3 * 12 - 2);
    const named = ["Stranger", "Upstream neighbour", "Downstream", ...secrets].filter((secret) =>
      text.includes(secret),
    );
    expect(named).toEqual([]);
  });
});
