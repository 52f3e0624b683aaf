import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, test } from "vitest";
import { session } from "#db/schema/users";
import { generateKey } from "#lib/api-keys/key-format";
import {
  type Caller,
  callRoute,
  createKey,
  createProject,
  createUser,
  nobody,
  type TestUser,
  withKey,
} from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { type RouteCase, routeCases } from "#testing/route-cases";

const { db } = await createTestDatabase();
const cases = await routeCases();
const nameOf = ({ method, path }: RouteCase): [string] => [`${method} ${path}`];
const rows = cases.map((item): [string, RouteCase] => [...nameOf(item), item]);
const closed = rows.filter(([, item]) => item.handler.declaration.auth !== "public");
const ofProject = closed.filter(([, item]) => item.ofProject);
const changing = closed.filter(([, item]) => item.changes);
const withAccess = (...kinds: string[]) =>
  closed.filter(([, item]) => kinds.includes(item.handler.declaration.auth));

let projectId: string;
let admin: TestUser;
let analyst: TestUser;
let foreignKey: Caller;
const wrongKeys: Record<string, Caller> = {};
const crossOrigin: Record<string, Caller> = {};
let deadSession: Caller;

beforeAll(async () => {
  projectId = (await createProject()).id;
  admin = await createUser({ role: "admin" });
  analyst = await createUser({ role: "analyst" });
  foreignKey = await createKey({ projectId: (await createProject()).id });
  const past = new Date(Date.now() - 60_000);
  Object.assign(wrongKeys, {
    empty: withKey(""),
    malformed: withKey("mps_nonsense"),
    "with a wrong checksum": withKey(`${generateKey().slice(0, -6)}000000`),
    unknown: withKey(generateKey()),
    revoked: await createKey({ projectId, revokedAt: past }),
    expired: await createKey({ projectId, expiresAt: past }),
  });
  const signedOut = await createUser();
  await db.delete(session).where(eq(session.userId, signedOut.id));
  deadSession = signedOut;
  const { cookie } = admin.headers;
  Object.assign(crossOrigin, {
    none: { headers: { cookie } },
    "another host": { headers: { cookie, origin: "http://evil.test" } },
    "another scheme": { headers: { cookie, origin: admin.headers.origin?.replace("http:", "https:") } },
    "another port": { headers: { cookie, origin: `${admin.headers.origin}:8080` } },
    opaque: { headers: { cookie, origin: "null" } },
  });
});

const ask = (item: RouteCase, as: Caller, project = projectId) => {
  const call = item.call(project);
  return callRoute(item.handler, { ...call, headers: { ...call.headers }, as });
};
const code = async (item: RouteCase, as: Caller, project = projectId) => {
  const answer = await ask(item, as, project);
  return `${answer.status} ${answer.error?.code}`;
};
/** Everything that a caller can tell from an answer but its request id and what is left of its limit. */
async function withoutId(item: RouteCase, as: Caller, project: string) {
  const { status, text, error } = await ask(item, as, project);
  return { status, text: text.replaceAll(error?.requestId ?? "none", "…") };
}

test("there are routes to look at", () => {
  expect(rows.length).toBeGreaterThan(20);
  expect(ofProject.length).toBeGreaterThan(10);
});

describe.each(closed)("%s", (_name, item) => {
  test("asks who is calling", async () => {
    expect(await code(item, nobody)).toBe("401 api_key_missing");
  });

  test("refuses every key that is not valid, all in the same words", async () => {
    const answers = await Promise.all(Object.values(wrongKeys).map((as) => withoutId(item, as, projectId)));
    expect(answers[0]).toMatchObject({ status: 401, text: expect.stringContaining("api_key_invalid") });
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });

  test("tells a session that has ended apart", async () => {
    expect(await code(item, deadSession)).toBe("401 session_required");
  });

  test("takes a wrong key for a wrong key, even beside a session", async () => {
    const both = { headers: { ...admin.headers, ...wrongKeys.unknown?.headers } };
    expect(await code(item, both)).toBe("401 api_key_invalid");
  });
});

test.each(changing)("%s is refused to a cookie from another origin", async (_name, item) => {
  for (const as of Object.values(crossOrigin)) expect(await code(item, as)).toBe("403 forbidden");
});

test.each(ofProject)("%s answers a foreign project exactly like an unknown one", async (_name, item) => {
  const unknown = await withoutId(item, foreignKey, randomUUID());
  expect(unknown).toMatchObject({ status: 404, text: expect.stringContaining("project_not_found") });
  expect(await withoutId(item, foreignKey, projectId)).toEqual(unknown);
  expect(await withoutId(item, foreignKey, "not-an-id")).toEqual(unknown);
  expect(await withoutId(item, admin, randomUUID())).toEqual(unknown);
  const deleted = await createProject({ deletedAt: new Date() });
  expect(await withoutId(item, admin, deleted.id)).toEqual(unknown);
  expect(await withoutId(item, await createKey({ projectId: deleted.id }), deleted.id)).toEqual(unknown);
});

test.each(withAccess("admin", "session"))(
  "%s is refused to a key of the project itself",
  async (_name, item) => {
    expect(await code(item, await createKey({ projectId }))).toBe("403 forbidden");
  },
);

test.each(withAccess("admin", "settings"))("%s is refused to an analyst", async (_name, item) => {
  expect(await code(item, analyst)).toBe("403 forbidden");
});

/** Got past the door: whatever the route itself then says of an empty body and of ids that do not exist. */
const inside = async (item: RouteCase, as: (project: string) => Promise<Caller>) => {
  const project = await createProject();
  const answer = await ask(item, await as(project.id), project.id);
  const { status, error } = answer;
  expect([401, 403, 405, 429, 500, 503], answer.text).not.toContain(status);
  expect(error?.code).not.toBe("project_not_found");
  expect(answer.headers.get("x-request-id")).toBeTruthy();
  expect(answer.headers.get("ratelimit")).toMatch(/^"default";r=\d+;t=\d+$/);
};

test.each(closed)("%s lets an admin in", async (_name, item) => {
  await inside(item, async () => admin);
});

test.each(withAccess("project", "session"))("%s lets an analyst in", async (_name, item) => {
  await inside(item, async () => analyst);
});

test.each(withAccess("project", "settings"))("%s lets a key of the project in", async (_name, item) => {
  await inside(item, (project) => createKey({ projectId: project }));
});
