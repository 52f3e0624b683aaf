import { afterAll, beforeEach } from "vitest";
import type { Delivery, Webhook, WebhookWithSecret } from "#lib/contract/webhooks";
import { startSendingWebhooks } from "#lib/domain/webhooks/send-webhooks";
import { publishEvent } from "#lib/platform/realtime/publish-event";
import { createProject, createUser } from "./api.ts";
import { createTestDatabase } from "./postgres.ts";
import { setEnvironment } from "./set-environment.ts";
import { callService } from "./upgrade/call-service.ts";
import { startReceiver } from "./webhook-receiver.ts";

/** Interval and time limit of polls: a worker sends within half a second. */
export const soon = { interval: 10, timeout: 15_000 };

/** Sends webhooks during the tests of a file. Each test has a new project. */
export async function createWebhookProject(options: Parameters<typeof startSendingWebhooks>[1] = {}) {
  const { db, sql } = await createTestDatabase({ max: 20 });
  const admin = await createUser();
  const receiver = await startReceiver();
  const stop = startSendingWebhooks(db, options);
  afterAll(async () => {
    await stop();
    await receiver.close();
  });
  const project = { id: "" };
  beforeEach(async () => {
    setEnvironment({ WEBHOOKS_ALLOW_PRIVATE: "1", PUBLIC_URL: "" });
    receiver.received.length = 0;
    receiver.answer(() => 204);
    // Otherwise deliveries of earlier tests keep coming.
    await sql`delete from webhooks`;
    project.id = (await createProject()).id;
  });
  const path = () => `/projects/${project.id}/webhooks`;
  const ask = async <T>(call: string, options: object = {}) =>
    (await callService<T>(admin, call, options)).data;
  const deliveriesOf = (id: string) => ask<Delivery[]>(`GET ${path()}/${id}/deliveries`);
  /** Makes the next attempts of all deliveries due now. */
  const hurry = () => sql`update webhook_deliveries set due_at = now() where due_at is not null`;
  return {
    db,
    sql,
    receiver,
    project,
    path,
    ask,
    deliveriesOf,
    hurry,
    create: (body: object = {}) =>
      ask<WebhookWithSecret>(`POST ${path()}`, {
        body: { url: receiver.url(), events: ["scenario-completed"], ...body },
      }),
    read: (id: string) => ask<Webhook>(`GET ${path()}/${id}`),
    newestOf: async (id: string) => (await deliveriesOf(id))[0]!,
    publish: (label: string, event: object = {}) =>
      db.transaction((tx) => {
        const standard = {
          name: "scenario-completed",
          entityId: project.id,
          jobId: null,
          status: "x",
        } as const;
        return publishEvent(tx, { projectId: project.id, ...standard, ...event, label });
      }),
    labels: () => receiver.received.map(({ body }) => body.data.label),
    /** Returns the status of a delivery whose attempts do not wait. */
    async hurriedStatus(id: string, at = 0) {
      await hurry();
      return (await deliveriesOf(id))[at]!.status;
    },
  };
}
