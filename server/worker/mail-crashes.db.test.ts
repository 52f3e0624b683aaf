import { afterAll, expect, test, vi } from "vitest";
import { mails } from "#db/schema/mails";
import { queueMail } from "#lib/platform/mail/queue-mail";
import { createUser } from "#testing/api";
import { startMailServer } from "#testing/mail-server";
import { createTestDatabase } from "#testing/postgres";
import { startWorkerProcess } from "#testing/worker-process";

const { db, sql, url: databaseUrl } = await createTestDatabase();
const server = await startMailServer();
afterAll(() => server.close());
// Starts four workers one after another.
vi.setConfig({ testTimeout: 5 * 60_000 });

/** Mails at whose arrival a worker is killed, before it has read the answer. */
const deaths = [2, 9, 16];
const members = 20;
const soon = { interval: 50, timeout: 60_000 };

test("each mail goes out at least once with the same ID, although workers are killed while they send", async () => {
  const users = await Promise.all(Array.from({ length: members }, () => createUser()));
  for (const { id: userId } of users) await queueMail(db, { kind: "invitation", userId });
  const start = async () => {
    // Another worker would wait for the leases of the dead one.
    await sql`update mails set due_at = now()`;
    return startWorkerProcess({ databaseUrl, env: server.variables });
  };
  for (const death of deaths) {
    const worker = await start();
    server.answer(() => {
      if (server.received.length === death) worker.child.kill("SIGKILL");
      // The server keeps each mail, and only the worker does not learn it.
      return server.received.length < death ? "accept" : "hang";
    });
    await expect.poll(() => worker.child.signalCode, soon).toBe("SIGKILL");
  }
  server.answer(() => "accept");
  await using _last = await start();
  await expect.poll(() => db.$count(mails), soon).toBe(0);
  const sent = Map.groupBy(server.received, ({ to }) => to.join());
  expect([...sent.keys()].toSorted()).toEqual(users.map(({ email }) => email).toSorted());
  for (const copies of sent.values()) {
    const ids = copies.map(({ head }) => head.find((line) => line.startsWith("message-id:")));
    expect(new Set(ids).size).toBe(1);
  }
  expect(server.received.length).toBeGreaterThan(members);
});
