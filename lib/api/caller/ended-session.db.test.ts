import { eq } from "drizzle-orm";
import { afterAll, expect, test } from "vitest";
import { session } from "#db/schema/users";
import { channelOf } from "#lib/contract/channel";
import { updateMember } from "#lib/domain/members/update-member";
import { authorizeChannel } from "#lib/domain/projects/authorize-channel";
import { createProject, createUser, testContext, testHost } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { credentials, startRealtime } from "#testing/realtime";
import { setEnvironment } from "#testing/set-environment";
import { authenticate } from "./authenticate.ts";

const { db } = await createTestDatabase();
const realtime = await startRealtime();
setEnvironment({
  PUSHER_APP_ID: credentials.appId,
  PUSHER_KEY: credentials.key,
  PUSHER_SECRET: credentials.secret,
  PUSHER_HOST: "127.0.0.1",
  PUSHER_PORT: String(realtime.port),
  PUSHER_USE_TLS: "0",
});
afterAll(() => realtime.close());

const changes: [string, (userId: string) => Promise<unknown>][] = [
  ["nothing happened", async () => {}],
  [
    "its password changed",
    (userId) => updateMember(testContext(), { userId, change: { password: "another horse" } }),
  ],
  ["it signed out", (userId) => db.delete(session).where(eq(session.userId, userId))],
  [
    "its session expired",
    (userId) => db.update(session).set({ expiresAt: new Date() }).where(eq(session.userId, userId)),
  ],
];

test.each(changes)(
  "a session subscribes only while it lasts: since authentication, %s",
  async (what, change) => {
    const { id: projectId } = await createProject();
    const { id: userId, headers } = await createUser();
    const request = new Request(`http://${testHost}/api/v1/realtime/auth`, {
      method: "POST",
      headers: { host: testHost, ...headers },
    });
    const { actor } = await authenticate(request, db);
    await change(userId);
    const answer = authorizeChannel(testContext({ actor }), {
      socket_id: "1.2",
      channel_name: channelOf(projectId),
    });
    if (what === "nothing happened") expect(await answer).toHaveProperty("auth");
    else await expect(answer).rejects.toMatchObject({ code: "session_required" });
  },
);
