import { database } from "#db/client";
import { apiKeys } from "#db/schema/access";
import { projects } from "#db/schema/projects";
import type { Context } from "#lib/context/context";
import type { Role } from "#lib/contract/members";
import { generateKey, hashKey, keyPrefix } from "#lib/domain/api-keys/key-format";
import { auth } from "#lib/domain/users/auth";
import { newId } from "#lib/platform/ids/new-id";
import { insertUser, type UserRow } from "#lib/users/insert-user";
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

/** A user who has signed in through the real sign-in: give it to `callRoute` as `as`. */
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

/** A key of a project: give it to `callRoute` as `as`. */
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

/** For tests that change a key or its project behind the service's back: as if its leases had run out. */
export function forgetKeyLeases(): void {
  Reflect.deleteProperty(globalThis, "keyLeases");
}

/** A context for calling operations without a route: an admin's session unless told otherwise. */
export function testContext(overrides: Partial<Context> = {}): Context {
  return {
    db: database(),
    actor: { kind: "session", userId: "user-of-tests", role: "admin" },
    requestId: newId(),
    ...overrides,
  };
}
