import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { type Caller, callRoute, createKey } from "#testing/api";
import { createNeighbours, distinguishable } from "#testing/neighbours";
import type { PopulatedProject } from "#testing/populated-project";
import { createTestDatabase } from "#testing/postgres";
import { type CallParts, isForAdmins, type RouteCase, routeCases } from "#testing/route-cases";
import { validCalls } from "#testing/valid-calls";

// Other ways to distinguish a resource of another project from an unknown one: order of errors, entity tags, HEAD,
// preconditions. Timing is out of scope.

await createTestDatabase();
const cases = (await routeCases()).map((item): [string, RouteCase] => [item.name, item]);
const ofProject = cases.filter(([, { ids }]) => ids.includes("projectId"));
const ofThing = cases.filter(([, { ids }]) => ids.some((id) => id !== "projectId" && id !== "userId"));

const world = await createNeighbours();
const key = await createKey({ projectId: world.own.projectId });

const withHeaders = (headers: Record<string, string>) => (parts: CallParts) => ({
  ...parts,
  headers: { ...parts.headers, ...headers },
});
/** A body of another kind, for routes with a body. */
const withBody = (body: unknown) => (parts: CallParts) =>
  parts.body === undefined ? parts : { ...parts, body };
const withQuery = (query: Record<string, string>) => (parts: CallParts) => ({ ...parts, query });

const issues: Record<string, (parts: CallParts) => CallParts> = {
  "no issue": (parts) => parts,
  "a body that is not JSON": withBody("{"),
  "an empty body": withBody(""),
  "an unknown field": withBody({ nonsense: 1 }),
  "a body of the wrong type": withHeaders({ "content-type": "image/png" }),
  "a body with a declared size above the limit": withHeaders({ "content-length": String(2 ** 40) }),
  "a wrong query": withQuery({ limit: "0", cursor: "x", rows: "x", ids: "x", maxPoints: "0", from: "x" }),
  "an idempotency key that is too long": withHeaders({ "idempotency-key": "x".repeat(300) }),
  "a precondition": withHeaders({ "if-match": '"x"', "if-none-match": "*" }),
  "any precondition": withHeaders({ "if-match": "*" }),
  "another media type": withHeaders({ accept: "text/csv" }),
};
const variants = Object.entries(issues);

async function asker(item: RouteCase, project: PopulatedProject) {
  const parts = await validCalls[item.name]!(project);
  return (as: Caller, params: Record<string, string>, spoil = issues["no issue"]!, method = item.method) => {
    const call = item.call({ ...spoil(parts), params: { ...parts.params, ...params } });
    return callRoute(item.handler, { ...call, method, as });
  };
}

test.each(ofProject)("%s reports no issue of a request before it finds the project", async (_name, item) => {
  const { projectId } = world.stranger;
  const ask = await asker(item, world.stranger);
  const plain = distinguishable(await ask(key, { projectId: randomUUID() }));
  expect(plain).toMatchObject({ status: 404, body: expect.stringContaining("project_not_found") });
  for (const [name, spoil] of variants) {
    for (const id of [projectId, randomUUID(), "not-an-id"]) {
      expect(distinguishable(await ask(key, { projectId: id }, spoil)), name).toEqual(plain);
    }
  }
});

const idOf = (item: RouteCase) =>
  item.ids.find((id) => id !== "projectId") as "checkpointId" | "jobId" | "keyId" | "modelId" | "scenarioId";

test.each(ofThing)("%s reports the same issue for every ID", async (_name, item) => {
  const idName = idOf(item);
  const ask = await asker(item, world.own);
  for (const as of idName === "jobId" ? [key] : [key, world.analyst, world.admin]) {
    for (const [name, spoil] of variants) {
      const unknown = distinguishable(await ask(as, { [idName]: randomUUID() }, spoil));
      for (const id of [world.stranger[idName], world.upstream[idName], "not-an-id"]) {
        expect(distinguishable(await ask(as, { [idName]: id }, spoil)), name).toEqual(unknown);
      }
    }
  }
});

describe("entity tags", () => {
  // A key reads no resource of admins and none of a signed-in user, and learns no tag of one.
  const tagged = ofThing.filter(
    ([, { handler }]) =>
      handler.declaration.etag && !isForAdmins(handler) && handler.declaration.auth !== "session",
  );
  const guarded = cases.filter(([, { handler }]) => handler.declaration.ifMatch);
  /**
   * Returns the entity tag of the resource that a route changes. For a resource without a separate GET, that of the
   * project.
   */
  const readingOf = ({ name }: RouteCase) => {
    const tags = new Map(
      cases.filter(([, { method, handler }]) => method === "GET" && handler.declaration.etag),
    );
    return tags.get(name.replace(/^\w+/, "GET")) ?? tags.get("GET /api/v1/projects/{projectId}")!;
  };

  test("there are such routes", () => {
    expect(tagged.length).toBeGreaterThan(4);
    expect(guarded.length).toBeGreaterThan(5);
  });

  test.each(tagged)("%s with the tag of another project's resource", async (_name, item) => {
    const idName = idOf(item);
    const reading = readingOf(item);
    const theirs = await (await asker(reading, world.stranger))(world.stranger.as, {});
    const tag = theirs.headers.get("etag")!;
    expect(tag).toBeTruthy();
    const ask = await asker(item, world.own);
    for (const headers of [{ "if-none-match": tag }, { "if-match": tag }]) {
      for (const method of item.method === "GET" ? (["GET", "HEAD"] as const) : [item.method]) {
        const answer = (id: string) =>
          ask(key, { [idName]: id }, withHeaders(headers), method as RouteCase["method"]);
        const unknown = distinguishable(await answer(randomUUID()));
        expect(unknown.status).toBe(404);
        expect(unknown.headers).not.toHaveProperty("etag");
        expect(distinguishable(await answer(world.stranger[idName]))).toEqual(unknown);
      }
    }
  });

  test.each(guarded)(
    "%s rejects the tag of another project's resource like any other stale tag",
    async (_name, item) => {
      const reading = readingOf(item);
      const tag = (await (await asker(reading, world.stranger))(world.stranger.as, {})).headers.get("etag")!;
      const ask = await asker(item, world.own);
      const stale = await ask(world.admin, {}, withHeaders({ "if-match": '"made up"' }));
      expect([stale.status, stale.error?.code]).toEqual([412, "precondition_failed"]);
      expect(distinguishable(await ask(world.admin, {}, withHeaders({ "if-match": tag })))).toEqual(
        distinguishable(stale),
      );
    },
  );
});

test.each(cases.filter(([, { method }]) => method === "GET"))(
  "%s reveals no more with HEAD",
  async (_name, item) => {
    const ask = await asker(item, world.stranger);
    const head = (params: Record<string, string>) =>
      ask(key, params, undefined, "HEAD" as RouteCase["method"]);
    const unknown = Object.fromEntries(item.ids.map((id) => [id, randomUUID()]));
    const [theirs, nothing] = [await head({}), await head(unknown)];
    expect(distinguishable(theirs)).toEqual(distinguishable(nothing));
    expect(theirs.text).not.toContain(world.stranger.checkpointId);
  },
);
