import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { apiKeys, connectionEnds } from "#db/schema/access";
import { channelOf } from "#lib/contract/channel";
import { revokeApiKey } from "#lib/domain/api-keys/revoke-api-key";
import { rotateApiKey } from "#lib/domain/api-keys/rotate-api-key";
import { deleteMember } from "#lib/domain/members/delete-member";
import { updateMember } from "#lib/domain/members/update-member";
import type { Actor } from "#lib/platform/context/context";
import { database } from "#lib/platform/database/process-database";
import { startRelay } from "#lib/platform/realtime/start-relay";
import { createKey, createProject, createUser } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { openRawSocket } from "#testing/raw-socket";
import { credentials, startRealtime } from "#testing/realtime";
import { setEnvironment } from "#testing/set-environment";
import { authorizeChannel } from "./authorize-channel.ts";
import { deleteProject } from "./delete-project.ts";

let stopRelay: () => Promise<void>;
let projectId: string;

const connection = await createTestDatabase();
const db = database();
const realtime = await startRealtime();
// Read once by the process.
setEnvironment({
  PUSHER_APP_ID: credentials.appId,
  PUSHER_KEY: credentials.key,
  PUSHER_SECRET: credentials.secret,
  PUSHER_HOST: "127.0.0.1",
  PUSHER_PORT: String(realtime.port),
  PUSHER_USE_TLS: "0",
});
beforeEach(async () => {
  stopRelay = relay();
  projectId = (await createProject()).id;
});
afterEach(() => stopRelay());
afterAll(() => realtime.close());

const relay = () =>
  startRelay(connection, {
    ...credentials,
    host: "127.0.0.1",
    port: realtime.port,
    useTls: false,
    cluster: null,
  });
const as = (actor: Actor) => ({ db, actor, requestId: "test" });
const admin = () => as({ kind: "session", userId: "another", role: "admin" });

async function keyActor(project = projectId) {
  const { id } = await createKey({ projectId: project });
  return { kind: "api-key", userId: "u", apiKeyId: id, projectId: project } as const;
}

async function memberActor(role: "admin" | "analyst" = "admin") {
  await createUser({ role: "admin" }); // Another admin remains.
  const { id } = await createUser({ role });
  return { kind: "session", userId: id, role } as const;
}

/** Subscribes with the caller's authorisation. `ended` resolves with the close code. */
async function follow(actor: Actor, of = projectId) {
  const socket = await openRawSocket(realtime.url);
  const { auth } = await authorizeChannel(as(actor), {
    socket_id: socket.socketId,
    channel_name: channelOf(of),
  });
  socket.say("pusher:subscribe", { channel: channelOf(of), auth });
  expect((await socket.read()).event).toBe("pusher_internal:subscription_succeeded");
  return socket;
}

const limitMs = 2_000;

async function expectEnd(socket: { closed: Promise<number> }, change: () => Promise<unknown>): Promise<void> {
  const changed = change().then(() => performance.now());
  const ended = socket.closed.then((code) => ({ code, at: performance.now() }));
  const { code, at } = await ended;
  expect(code).toBe(4200);
  expect(at - (await changed)).toBeLessThan(limitMs);
}

test("ends the connection of a revoked key within two seconds, and no other connection", async () => {
  const [revoked, other] = [await keyActor(), await keyActor()];
  const [gone, kept] = [await follow(revoked), await follow(other)];
  await expectEnd(gone, () => revokeApiKey(admin(), { projectId, keyId: revoked.apiKeyId }));
  kept.say("pusher:ping", {});
  expect((await kept.read()).event).toBe("pusher:pong");
  kept.close();
});

test("ends the connection of a key that is rotated away, after its overlap", async () => {
  const [at, later] = [await keyActor(), await keyActor()];
  const [first, second] = [await follow(at), await follow(later)];
  const creator = as(await memberActor());
  await expectEnd(first, () => rotateApiKey(creator, { projectId, keyId: at.apiKeyId, overlapSeconds: 0 }));
  await rotateApiKey(creator, { projectId, keyId: later.apiKeyId, overlapSeconds: 1 });
  expect(await second.closed).toBe(4200);
});

test("ends the connections of a removed, a demoted and a disabled member", async () => {
  for (const change of [
    (userId: string) => deleteMember(admin(), { userId, revokeApiKeys: false }),
    (userId: string) => updateMember(admin(), { userId, change: { role: "analyst" } }),
    (userId: string) => updateMember(admin(), { userId, change: { disabled: true } }),
  ]) {
    const actor = await memberActor();
    await expectEnd(await follow(actor), () => change(actor.userId));
  }
});

test("ends the connections of keys and members to a deleted project", async () => {
  const sockets = [await follow(await keyActor()), await follow(await memberActor("analyst"))];
  const deleted = deleteProject(admin(), { projectId });
  for (const socket of sockets) await expectEnd(socket, () => deleted);
});

test("authorises no caller whose key or account ended after the request's authentication", async () => {
  const key = await keyActor();
  await db.update(apiKeys).set({ revokedAt: new Date() }).where(eq(apiKeys.id, key.apiKeyId));
  const member = await memberActor();
  await updateMember(admin(), { userId: member.userId, change: { disabled: true } });
  await expect(follow(key)).rejects.toMatchObject({ code: "api_key_invalid" });
  await expect(follow(member)).rejects.toMatchObject({ code: "session_required" });
});

test("ends a connection although the relay was not running at the revocation", async () => {
  const actor = await keyActor();
  const socket = await follow(actor);
  await stopRelay();
  await revokeApiKey(admin(), { projectId, keyId: actor.apiKeyId });
  expect(await db.$count(connectionEnds)).toBeGreaterThan(0);
  stopRelay = relay();
  expect(await socket.closed).toBe(4200);
});

test("does not authorise while the embedded server does not answer", async () => {
  const actor = await keyActor();
  await realtime.close();
  const request = { socket_id: "1.2", channel_name: channelOf(projectId) };
  await expect(authorizeChannel(as(actor), request)).rejects.toMatchObject({ code: "service_unavailable" });
  await realtime.restart();
});
