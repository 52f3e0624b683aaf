import { createHmac } from "node:crypto";
import { hashPassword } from "better-auth/crypto";
import { apiKeys } from "#db/schema/access";
import { projects } from "#db/schema/projects";
import { account, session, user } from "#db/schema/users";
import type { Scope } from "#lib/contract/api-keys";
import type { Role } from "#lib/contract/members";
import { generateKey, hashKey, keyPrefix } from "#lib/domain/api-keys/key-format";
import type { UserRow } from "#lib/domain/users/present";
import { authSecret } from "#lib/platform/config/secrets";
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

export type TestUser = UserRow & Caller;

/** Hash of the password "correct horse battery", once per test file: hashing is slow by design. */
let passwordHash: Promise<string> | undefined;

/** Creates a user with a session of the sign-in library. Pass the result to `callRoute` as `as`. */
export async function createUser(
  overrides: { role?: Role; name?: string; email?: string } = {},
): Promise<TestUser> {
  const { role = "admin", name = "Ada", email = `${newId()}@example.com` } = overrides;
  const db = database();
  passwordHash ??= hashPassword("correct horse battery");
  const password = await passwordHash;
  const [id, token] = [newId(), newId()];
  const [row] = await db.insert(user).values({ id, name, email, role, emailVerified: true }).returning();
  await db
    .insert(account)
    .values({ id: newId(), accountId: id, providerId: "credential", userId: id, password });
  const expiresAt = new Date(Date.now() + 86_400_000);
  await db.insert(session).values({ id: newId(), token, userId: id, expiresAt });
  const signature = createHmac("sha256", authSecret()).update(token).digest("base64");
  const cookie = `better-auth.session_token=${encodeURIComponent(`${token}.${signature}`)}`;
  return { ...row!, headers: { cookie, origin: `http://${testHost}` } };
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
  scopes?: Scope[];
  allowedAddresses?: string[];
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
  Reflect.deleteProperty(globalThis, "key leases of databases");
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
