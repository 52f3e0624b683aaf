import { Webhook as StandardWebhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import type { Delivery } from "#lib/contract/webhooks";
import { publishEvent } from "#lib/platform/realtime/publish-event";
import { createProject } from "#testing/api";
import { createWebhookProject, soon } from "#testing/webhook-project";

const { db, sql, receiver, project, path, ask, deliveriesOf, hurry, create, newestOf, publish, labels } =
  await createWebhookProject();

describe("a delivery", () => {
  it("has the headers and the body of Standard Webhooks", async () => {
    const webhook = await create();
    expect(webhook.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    await publish("Winter");
    await expect.poll(labels, soon).toEqual(["Winter"]);
    const [{ headers, text, body }] = receiver.received as [(typeof receiver.received)[0]];
    expect(new StandardWebhook(webhook.secret).verify(text, headers)).toEqual(body);
    expect(() => new StandardWebhook("whsec_b3RoZXI=").verify(text, headers)).toThrow();
    const { eventId, occurredAt } = body.data;
    expect(body).toMatchObject({
      type: "scenario-completed",
      timestamp: occurredAt,
      data: { projectId: project.id },
    });
    expect([headers["webhook-id"], headers["content-type"]]).toEqual([eventId, "application/json"]);
    await expect
      .poll(() => newestOf(webhook.id), soon)
      .toMatchObject({ eventId, status: "Delivered", attempts: 1, responseStatus: 204, error: null });
  });

  it("is made of each event that the webhook names, in the order of commits, and of no other project", async () => {
    await create();
    const { id } = project;
    project.id = (await createProject()).id;
    await create({ url: receiver.url("/of-another-project") });
    project.id = id;
    const published = Array.from({ length: 20 }, (_, index) => String(index));
    for (const label of published) await publish(label);
    await publish("not named", { name: "job-updated" });
    await expect.poll(labels, soon).toEqual(published);
    expect(new Set(receiver.received.map((one) => one.path))).toEqual(new Set(["/hooks"]));
  });

  it("of job-updated is made once per status, not for progress", async () => {
    await create({ events: ["job-updated"] });
    for (const status of ["Pending", "Running", "Running", "Running", "Completed"]) {
      await publish(status, { name: "job-updated", status });
    }
    await expect.poll(labels, soon).toEqual(["Pending", "Running", "Completed"]);
    const [{ count }] = await sql<[{ count: number }]>`select count(*)::int from webhook_deliveries`;
    expect(count).toBe(3);
  });

  it("of an event that is rolled back is not made", async () => {
    const { id } = await create();
    const rolledBack = db.transaction(async (tx) => {
      const event = { projectId: project.id, name: "scenario-completed", entityId: project.id } as const;
      await publishEvent(tx, { ...event, jobId: null, status: null, label: "never" });
      throw new Error("rolled back");
    });
    await expect(rolledBack).rejects.toThrow("rolled back");
    expect(await deliveriesOf(id)).toEqual([]);
  });

  it("that fails is repeated with the same ID, until the receiver accepts it", async () => {
    const { id } = await create();
    receiver.answer(() => 500);
    await publish("again");
    await expect
      .poll(() => newestOf(id), soon)
      .toMatchObject({ status: "Pending", error: "The receiver answered 500", responseBody: "status 500" });
    const { nextAttemptAt, lastAttemptAt } = await newestOf(id);
    expect((Date.parse(nextAttemptAt!) - Date.parse(lastAttemptAt!)) / 1_000).toBeCloseTo(5, 0);
    receiver.answer(() => 200);
    await hurry();
    await expect
      .poll(() => newestOf(id), soon)
      .toMatchObject({ status: "Delivered", attempts: 2, error: null });
    const sent = receiver.received.map(({ headers }) => headers["webhook-id"]);
    expect([sent.length, new Set(sent).size]).toEqual([2, 1]);
  });

  it("is sent again on request, with the same ID", async () => {
    const { id } = await create();
    await publish("twice");
    await expect.poll(() => newestOf(id), soon).toMatchObject({ status: "Delivered" });
    const { id: deliveryId } = await newestOf(id);
    await ask(`POST ${path()}/${id}/deliveries/${deliveryId}/resend`);
    await expect.poll(labels, soon).toEqual(["twice", "twice"]);
    expect(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
    await expect.poll(() => newestOf(id), soon).toMatchObject({ status: "Delivered", attempts: 1 });
    expect(await deliveriesOf(id)).toHaveLength(1);
  });

  it("of a test event is sent like any other", async () => {
    const { id, secret } = await create();
    const delivery = await ask<Delivery>(`POST ${path()}/${id}/test`);
    expect(delivery).toMatchObject({ type: "webhook-test", status: "Pending", attempts: 0 });
    await expect.poll(() => newestOf(id), soon).toMatchObject({ id: delivery.id, status: "Delivered" });
    const [{ headers, text, body }] = receiver.received as [(typeof receiver.received)[0]];
    expect(body).toMatchObject({ type: "webhook-test", data: { projectId: project.id, entityId: id } });
    expect(new StandardWebhook(secret).verify(text, headers)).toEqual(body);
  });
});
