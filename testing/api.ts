import { apiKeys } from "#db/schema/access";
import { projects } from "#db/schema/projects";
import type { Role } from "#lib/contract/members";
import { generateKey, hashKey, keyPrefix } from "#lib/domain/api-keys/key-format";
import { auth } from "#lib/domain/users/auth";
import { insertUser } from "#lib/domain/users/create-user";
import type { UserRow } from "#lib/domain/users/present";
import type { Context } from "#lib/platform/context/context";
import { database } from "#lib/platform/database/process-database";
import { newId } from "#lib/platform/ids/new-id";
import { type Caller, testHost, withKey } from "./call-route.ts";

export {
  type Caller,
  callRoute,
  nobody,
  type RouteAnswer,
  type RouteCall,
  testHost,
  withKey,
} from "./call-route.ts";

const password = "correct horse battery";

export type TestUser = UserRow & Caller;

/** Creates a user and a session by the real sign-in. Pass the result to `callRoute` as `as`. */
export async function createUser(
  overrides: { role?: Role; name?: string; email?: string } = {},
): Promise<TestUser> {
  const { role = "admin", name = "Ada", email = `${newId()}@example.com` } = overrides;
  const user = await insertUser(database(), { name, email, password, role });
  const { headers } = await auth().api.signInEmail({ body: { email, password }, returnHeaders: true });
  const cookie = headers.getSetCookie().map((line) => line.split(";")[0]);
  return { ...user, headers: { cookie: cookie.join("; "), origin: `http://${testHost}` } };
}

type ProjectOverrides = { name?: string; createdBy?: string; deletedAt?: Date };

export async function createProject(overrides: ProjectOverrides = {}): Promise<typeof projects.$inferSelect> {
  const [row] = await database()
    .insert(projects)
    .values({ id: newId(), name: "Weather", createdBy: "user-of-tests", ...overrides })
    .returning();
  return row!;
}

export type TestKey = typeof apiKeys.$inferSelect & { key: string } & Caller;

type KeyOverrides = {
  key?: string;
  projectId: string;
  createdBy?: string;
  expiresAt?: Date;
  revokedAt?: Date;
  name?: string;
};

/** Creates an API key of a project. Pass the result to `callRoute` as `as`. */
export async function createKey(overrides: KeyOverrides): Promise<TestKey> {
  const { key = generateKey(), ...fields } = overrides;
  const [row] = await database()
    .insert(apiKeys)
    .values({
      id: newId(),
      name: "Tests",
      hash: hashKey(key),
      prefix: keyPrefix(key),
      createdBy: "user-of-tests",
      ...fields,
    })
    .returning();
  return { ...row!, key, ...withKey(key) };
}

/** Drops this process's leases of API keys, for tests that change a key or its project by SQL. */
export function forgetKeyLeases(): void {
  Reflect.get(globalThis, "objectsOfDatabases")?.delete("key leases");
}

/** Returns a context for calls of operations without a route. By default, the actor is the session of an admin. */
export function testContext(overrides: Partial<Context> = {}): Context {
  return {
    db: database(),
    actor: { kind: "session", userId: "user-of-tests", role: "admin" },
    requestId: newId(),
    ...overrides,
  };
}
