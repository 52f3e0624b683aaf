import { eq } from "drizzle-orm";
import { afterAll, expect, test, vi } from "vitest";
import { webhookDeliveries } from "#db/schema/webhooks";
import { createWebhook } from "#lib/domain/webhooks/create-webhook";
import { publishEvent } from "#lib/platform/realtime/publish-event";
import { createProject, testContext } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { setEnvironment } from "#testing/set-environment";
import { startReceiver } from "#testing/webhook-receiver";
import { startWorkerProcess } from "#testing/worker-process";

const { db, sql, url: databaseUrl } = await createTestDatabase();
const receiver = await startReceiver();
afterAll(() => receiver.close());
// Starts four workers one after another.
vi.setConfig({ testTimeout: 5 * 60_000 });

/** Deliveries at whose arrival a worker is killed, before it has read the answer. */
const deaths = [3, 9, 15];
const events = 30;

test("each event arrives at least once with the same ID, although workers are killed while they send", async () => {
  const env = { WEBHOOKS_ALLOW_PRIVATE: "1" };
  setEnvironment(env);
  const { id: projectId } = await createProject();
  const body = { events: ["scenario-completed" as const] };
  for (const path of ["/one", "/two"])
    await createWebhook(testContext(), { projectId, url: receiver.url(path), ...body });
  for (let label = 0; label < events; label++) {
    await db.transaction((tx) =>
      publishEvent(tx, {
        projectId,
        name: "scenario-completed",
        entityId: projectId,
        jobId: null,
        status: null,
        label: String(label),
      }),
    );
  }
  for (const death of deaths) {
    // Another worker would wait for the lease of the dead one.
    await sql`update webhooks set leased_until = now()`;
    const worker = startWorkerProcess({ databaseUrl, env });
    receiver.answer(() => {
      if (receiver.received.length === death) worker.child.kill("SIGKILL");
      return 204;
    });
    expect(await worker.ended).toBe("SIGKILL");
  }
  receiver.answer(() => 204);
  await sql`update webhooks set leased_until = now()`;
  await using _last = startWorkerProcess({ databaseUrl, env });
  const delivered = () => db.$count(webhookDeliveries, eq(webhookDeliveries.status, "Delivered"));
  await expect.poll(delivered, { interval: 50, timeout: 60_000 }).toBe(2 * events);
  for (const path of ["/one", "/two"]) {
    const sent = receiver.received.filter((one) => one.path === path);
    const ids = new Map(sent.map(({ headers, body }) => [headers["webhook-id"], body.data.label]));
    expect([...ids.values()]).toEqual(Array.from({ length: events }, (_, label) => String(label)));
  }
  expect(receiver.received.length).toBeGreaterThan(2 * events);
});
