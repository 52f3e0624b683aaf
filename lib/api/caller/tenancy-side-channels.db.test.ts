import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { type Caller, callRoute, createKey } from "#testing/api";
import { createNeighbours, type Neighbours, told } from "#testing/neighbours";
import type { PopulatedProject } from "#testing/populated-project";
import { createTestDatabase } from "#testing/postgres";
import { type CallParts, type RouteCase, routeCases } from "#testing/route-cases";
import { validCalls } from "#testing/valid-calls";

// What else could tell what belongs to another project from what is not there: which fault is told first, entity tags,
// HEAD, preconditions. Timings aside.

await createTestDatabase();
const cases = (await routeCases()).map((item): [string, RouteCase] => [item.name, item]);
const ofProject = cases.filter(([, { ids }]) => ids.includes("projectId"));
const ofThing = cases.filter(([, { ids }]) => ids.some((id) => id !== "projectId" && id !== "userId"));

let world: Neighbours;
let key: Caller;
beforeAll(async () => {
  world = await createNeighbours();
  key = await createKey({ projectId: world.own.projectId });
});

const withHeaders = (headers: Record<string, string>) => (parts: CallParts) => ({
  ...parts,
  headers: { ...parts.headers, ...headers },
});
/** A body of another kind, where one is sent. */
const withBody = (body: unknown) => (parts: CallParts) =>
  parts.body === undefined ? parts : { ...parts, body };
const withQuery = (query: Record<string, string>) => (parts: CallParts) => ({ ...parts, query });

const faults: Record<string, (parts: CallParts) => CallParts> = {
  "no fault": (parts) => parts,
  "a body that is no JSON": withBody("{"),
  "an empty body": withBody(""),
  "an unknown field": withBody({ nonsense: 1 }),
  "a body of a wrong type": withHeaders({ "content-type": "image/png" }),
  "a body that says it is too large": withHeaders({ "content-length": String(2 ** 40) }),
  "a wrong query": withQuery({ limit: "0", cursor: "x", rows: "x", ids: "x", maxPoints: "0", from: "x" }),
  "an idempotency key that is too long": withHeaders({ "idempotency-key": "x".repeat(300) }),
  "a precondition": withHeaders({ "if-match": '"x"', "if-none-match": "*" }),
  "any precondition": withHeaders({ "if-match": "*" }),
  "another media type": withHeaders({ accept: "text/csv" }),
};
const variants = Object.entries(faults);

async function asker(item: RouteCase, project: PopulatedProject) {
  const parts = await validCalls[item.name]!(project);
  return (as: Caller, params: Record<string, string>, spoil = faults["no fault"]!, method = item.method) => {
    const call = item.call({ ...spoil(parts), params: { ...parts.params, ...params } });
    return callRoute(item.handler, { ...call, method, as });
  };
}

test.each(ofProject)("%s tells no fault of a request before the project is found", async (_name, item) => {
  const { projectId } = world.stranger;
  const ask = await asker(item, world.stranger);
  const plain = told(await ask(key, { projectId: randomUUID() }));
  expect(plain).toMatchObject({ status: 404, body: expect.stringContaining("project_not_found") });
  for (const [name, spoil] of variants) {
    for (const id of [projectId, randomUUID(), "not-an-id"]) {
      expect(told(await ask(key, { projectId: id }, spoil)), name).toEqual(plain);
    }
  }
});

const idOf = (item: RouteCase) =>
  item.ids.find((id) => id !== "projectId") as "checkpointId" | "jobId" | "keyId" | "modelId" | "scenarioId";

test.each(ofThing)("%s tells the same fault whatever thing is named", async (_name, item) => {
  const idName = idOf(item);
  const ask = await asker(item, world.own);
  for (const as of idName === "jobId" ? [key] : [key, world.analyst, world.admin]) {
    for (const [name, spoil] of variants) {
      const unknown = told(await ask(as, { [idName]: randomUUID() }, spoil));
      for (const id of [world.stranger[idName], world.upstream[idName], "not-an-id"]) {
        expect(told(await ask(as, { [idName]: id }, spoil)), name).toEqual(unknown);
      }
    }
  }
});

describe("entity tags", () => {
  const tagged = ofThing.filter(([, { handler }]) => handler.declaration.etag);
  const guarded = cases.filter(([, { handler }]) => handler.declaration.ifMatch);
  /** Where the tag of what a route changes is read; of what has no reading of its own, the project's. */
  const readingOf = ({ name }: RouteCase) => {
    const tags = new Map(
      cases.filter(([, { method, handler }]) => method === "GET" && handler.declaration.etag),
    );
    return tags.get(name.replace(/^\w+/, "GET")) ?? tags.get("GET /api/v1/projects/{projectId}")!;
  };

  test("there are some", () => {
    expect(tagged.length).toBeGreaterThan(4);
    expect(guarded.length).toBeGreaterThan(5);
  });

  test.each(tagged)("%s with the tag of another project's", async (_name, item) => {
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
        const unknown = told(await answer(randomUUID()));
        expect(unknown.status).toBe(404);
        expect(unknown.headers).not.toHaveProperty("etag");
        expect(told(await answer(world.stranger[idName]))).toEqual(unknown);
      }
    }
  });

  test.each(guarded)("%s under another project's tag is as stale as under any", async (_name, item) => {
    const reading = readingOf(item);
    const tag = (await (await asker(reading, world.stranger))(world.stranger.as, {})).headers.get("etag")!;
    const ask = await asker(item, world.own);
    const stale = await ask(world.admin, {}, withHeaders({ "if-match": '"made up"' }));
    expect([stale.status, stale.error?.code]).toEqual([412, "precondition_failed"]);
    expect(told(await ask(world.admin, {}, withHeaders({ "if-match": tag })))).toEqual(told(stale));
  });
});

test.each(cases.filter(([, { method }]) => method === "GET"))(
  "%s by HEAD tells no more",
  async (_name, item) => {
    const ask = await asker(item, world.stranger);
    const head = (params: Record<string, string>) =>
      ask(key, params, undefined, "HEAD" as RouteCase["method"]);
    const unknown = Object.fromEntries(item.ids.map((id) => [id, randomUUID()]));
    const [theirs, nothing] = [await head({}), await head(unknown)];
    expect(told(theirs)).toEqual(told(nothing));
    expect(theirs.text).not.toContain(world.stranger.checkpointId);
  },
);
