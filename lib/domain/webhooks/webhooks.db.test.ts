import { Webhook as StandardWebhook } from "standardwebhooks";
import { afterAll, beforeEach, describe, expect, it, test } from "vitest";
import { eventNames } from "#lib/contract/channel";
import type { Delivery, Webhook, WebhookWithSecret } from "#lib/contract/webhooks";
import { publishEvent } from "#lib/platform/realtime/publish-event";
import { runHousekeeping } from "#server/worker/housekeeping";
import { createProject, createUser } from "#testing/api";
import { createTestDatabase } from "#testing/postgres";
import { setEnvironment } from "#testing/set-environment";
import { callService } from "#testing/upgrade/call-service";
import { startReceiver } from "#testing/webhook-receiver";
import { chatMessage } from "./chat-message.ts";
import { startSendingWebhooks } from "./send-webhooks.ts";

const { db, sql } = await createTestDatabase({ max: 20 });
const admin = await createUser();
const receiver = await startReceiver();
const stop = startSendingWebhooks(db);
afterAll(async () => {
  await stop();
  await receiver.close();
});

let projectId: string;
beforeEach(async () => {
  setEnvironment({ WEBHOOKS_ALLOW_PRIVATE: "1", PUBLIC_URL: "" });
  receiver.received.length = 0;
  receiver.answer(() => 204);
  // Otherwise deliveries of earlier tests keep coming.
  await sql`delete from webhooks`;
  projectId = (await createProject()).id;
});

const soon = { interval: 10, timeout: 15_000 };
const path = () => `/projects/${projectId}/webhooks`;
const ask = async <T>(call: string, options: object = {}) =>
  (await callService<T>(admin, call, options)).data;
const create = (body: object = {}) =>
  ask<WebhookWithSecret>(`POST ${path()}`, {
    body: { url: receiver.url(), events: ["scenario-completed"], ...body },
  });
const read = (id: string) => ask<Webhook>(`GET ${path()}/${id}`);
const deliveriesOf = (id: string) => ask<Delivery[]>(`GET ${path()}/${id}/deliveries`);
const newestOf = async (id: string) => (await deliveriesOf(id))[0]!;

const publish = (
  label: string,
  name = "scenario-completed" as "scenario-completed" | "job-updated",
  status = "x",
) =>
  db.transaction((tx) =>
    publishEvent(tx, { projectId, name, entityId: projectId, jobId: null, status, label }),
  );
const labels = () => receiver.received.map(({ body }) => body.data.label);

/** Makes the next attempts of all deliveries due now. */
const hurry = () => sql`update webhook_deliveries set due_at = now() where due_at is not null`;
/** Returns the status of a delivery whose attempts do not wait. */
const hurriedStatus = async (id: string, at = 0) => {
  await hurry();
  return (await deliveriesOf(id))[at]!.status;
};

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
    expect(body).toMatchObject({ type: "scenario-completed", timestamp: occurredAt, data: { projectId } });
    expect([headers["webhook-id"], headers["content-type"]]).toEqual([eventId, "application/json"]);
    await expect
      .poll(() => newestOf(webhook.id), soon)
      .toMatchObject({ eventId, status: "Delivered", attempts: 1, responseStatus: 204, error: null });
  });

  it("is made of each event that the webhook names, in the order of commits, and of no other project", async () => {
    await create();
    const other = projectId;
    projectId = (await createProject()).id;
    await create({ url: receiver.url("/of-another-project") });
    projectId = other;
    const published = Array.from({ length: 20 }, (_, index) => String(index));
    for (const label of published) await publish(label);
    await publish("not named", "job-updated");
    await expect.poll(labels, soon).toEqual(published);
    expect(new Set(receiver.received.map((one) => one.path))).toEqual(new Set(["/hooks"]));
  });

  it("of job-updated is made once per status, not for progress", async () => {
    await create({ events: ["job-updated"] });
    for (const status of ["Pending", "Running", "Running", "Running", "Completed"]) {
      await publish(status, "job-updated", status);
    }
    await expect.poll(labels, soon).toEqual(["Pending", "Running", "Completed"]);
    const [{ count }] = await sql<[{ count: number }]>`select count(*)::int from webhook_deliveries`;
    expect(count).toBe(3);
  });

  it("of an event that is rolled back is not made", async () => {
    const { id } = await create();
    const rolledBack = db.transaction(async (tx) => {
      const event = { projectId, name: "scenario-completed", entityId: projectId } as const;
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
    expect(body).toMatchObject({ type: "webhook-test", data: { projectId, entityId: id } });
    expect(new StandardWebhook(secret).verify(text, headers)).toEqual(body);
  });
});

describe("a message to a chat", () => {
  const name = "Sales <!channel> & *more*";
  const sent = async (format: string, label: string) => {
    receiver.received.length = 0;
    await create({ format });
    await db.transaction((tx) =>
      publishEvent(tx, {
        projectId,
        name: "scenario-completed",
        entityId: "0190f3c8-7d2e-7c1a-9a53-4f1c2b3d4e5f",
        jobId: null,
        status: "Completed",
        label,
      }),
    );
    await expect.poll(() => receiver.received.length, soon).toBe(1);
    await sql`delete from webhooks`;
    return JSON.parse(receiver.received[0]!.text);
  };
  beforeEach(async () => {
    await ask(`PATCH /projects/${projectId}`, { body: { name } });
  });

  it("of Slack has the news, the project and a link, with names that are no commands", async () => {
    setEnvironment({ WEBHOOKS_ALLOW_PRIVATE: "1", PUBLIC_URL: "https://forkcast.example.com/" });
    const page = `https://forkcast.example.com/projects/${projectId}/scenarios/0190f3c8-7d2e-7c1a-9a53-4f1c2b3d4e5f`;
    expect(await sent("slack", "Winter\n<@U1>")).toEqual({
      text: `The scenario “Winter &lt;@U1&gt;” is complete. Project: Sales &lt;!channel&gt; &amp; *more*.\n<${page}|Open in Forkcast>`,
    });
  });

  it("of Teams is a card, which has a button if the service knows its address", async () => {
    const text = `The scenario “Winter” is complete. Project: ${name}.`;
    const card = { type: "AdaptiveCard", body: [{ inlines: [{ type: "TextRun", text }] }] };
    const without = await sent("teams", "Winter");
    expect(without).toMatchObject({ type: "message", attachments: [{ content: card }] });
    expect(without.attachments[0].content).not.toHaveProperty("actions");
    setEnvironment({ WEBHOOKS_ALLOW_PRIVATE: "1", PUBLIC_URL: "https://forkcast.example.com" });
    const url = expect.stringContaining(`/projects/${projectId}/scenarios/`);
    expect((await sent("teams", "Winter")).attachments[0].content.actions).toEqual([
      { type: "Action.OpenUrl", title: "Open in Forkcast", url },
    ]);
  });

  it.each(eventNames)("names %s in a sentence", async (event) => {
    const data = {
      eventId: "",
      projectId,
      entityId: projectId,
      jobId: null,
      status: "Completed",
      label: null,
    };
    const { text } = chatMessage("slack", {
      type: event,
      data: { ...data, occurredAt: "" },
      project: "Sales",
      publicUrl: null,
    }) as { text: string };
    expect(text).toMatch(/^(A|The) [a-z ]+\. Project: Sales\.$/i);
  });
});

describe("a receiver", () => {
  it("that answers with a redirect has not accepted", async () => {
    const { id } = await create();
    receiver.answer((_, response) => {
      response.writeHead(307, { location: receiver.url("/elsewhere") }).end();
      return undefined;
    });
    await publish("redirected");
    await expect.poll(() => newestOf(id), soon).toMatchObject({ status: "Pending", responseStatus: 307 });
    expect(receiver.received).toHaveLength(1);
  });

  it("that is gone disables the webhook at once", async () => {
    const { id } = await create();
    receiver.answer(() => 410);
    await publish("gone");
    await expect.poll(() => read(id), soon).toMatchObject({ enabled: false, disabledReason: "gone" });
    expect(await newestOf(id)).toMatchObject({ status: "Failed", responseStatus: 410 });
    const [entry] = await ask<{ action: string; label: string }[]>(`GET /projects/${projectId}/audit`);
    expect(entry).toMatchObject({
      action: "webhook.disabled",
      label: `127.0.0.1:${receiver.port}`,
      actorId: "system",
    });
    await publish("unsent");
    expect(await deliveriesOf(id)).toHaveLength(1);
    for (const call of [
      `${path()}/${id}/test`,
      `${path()}/${id}/deliveries/${(await newestOf(id)).id}/resend`,
    ]) {
      await expect(ask(`POST ${call}`)).rejects.toThrow("The webhook is disabled");
    }
  });

  it("that accepts nothing in nine attempts has its webhook disabled", async () => {
    const { id } = await create();
    receiver.answer(() => 503);
    await publish("refused");
    await expect.poll(() => hurriedStatus(id), soon).toBe("Failed");
    expect(await newestOf(id)).toMatchObject({ attempts: 9, responseStatus: 503, nextAttemptAt: null });
    expect(receiver.received).toHaveLength(9);
    expect(await read(id)).toMatchObject({ enabled: false, disabledReason: "failing" });
  });

  it("that rejects one event keeps receiving others", async () => {
    const { id } = await create();
    receiver.answer(({ body }) => (body.data.label === "poison" ? 400 : 204));
    await publish("poison");
    await expect.poll(() => newestOf(id), soon).toMatchObject({ attempts: 1 });
    await publish("good");
    await expect.poll(() => newestOf(id), soon).toMatchObject({ status: "Delivered" });
    await sql`update webhook_deliveries set attempts = 8 where status = 'Pending'`;
    await expect.poll(() => hurriedStatus(id, 1), soon).toBe("Failed");
    expect(await read(id)).toMatchObject({ enabled: true });
  });

  it("that hangs does not delay others, not even of its host", async () => {
    receiver.answer((one) => (one.path === "/hanging" ? undefined : 204));
    const hanging = await startReceiver();
    hanging.answer(() => undefined);
    for (let count = 0; count < 8; count++) await create({ url: hanging.url(`/${count}`) });
    await create({ url: receiver.url("/hanging") });
    await create();
    const begin = performance.now();
    for (let count = 0; count < 10; count++) await publish(String(count));
    const healthy = () => receiver.received.filter((one) => one.path === "/hooks").length;
    await expect.poll(healthy, soon).toBe(10);
    expect(performance.now() - begin).toBeLessThan(8_000);
    expect(hanging.received.length).toBeLessThanOrEqual(4);
    await sql`delete from webhooks`;
    await hanging.close();
  });

  it("at a private address is not called unless the operator permits it", async () => {
    const { id } = await create();
    setEnvironment({ WEBHOOKS_ALLOW_PRIVATE: "0" });
    await publish("private");
    await expect
      .poll(() => newestOf(id), soon)
      .toMatchObject({ attempts: 1, error: "The address is private" });
    expect(receiver.received).toEqual([]);
    await expect(create()).rejects.toThrow("The address is private. Use an address in a public network");
    await expect(ask(`PATCH ${path()}/${id}`, { body: { url: "http://[::1]/" } })).rejects.toThrow(
      "The address is private",
    );
  });
});

describe("a secret", () => {
  it("is stored encrypted, and shown only by creation and rotation", async () => {
    const { id, secret } = await create();
    const [row] = await sql`select secret::text as stored, encode(secret, 'escape') as escaped from webhooks`;
    for (const shown of [JSON.stringify(row), JSON.stringify([await read(id), await ask(`GET ${path()}`)])]) {
      expect(shown).not.toContain(secret.slice(6));
    }
    expect(Buffer.from(row!.stored.slice(2), "hex").includes(Buffer.from(secret.slice(6)))).toBe(false);
  });

  it("signs together with the previous one until the overlap of a rotation ends", async () => {
    const old = await create();
    const { id } = old;
    const rotated = await ask<WebhookWithSecret>(`POST ${path()}/${id}/rotate`, {
      body: { overlapSeconds: 60 },
    });
    expect(rotated.secret).not.toBe(old.secret);
    await publish("overlap");
    await expect.poll(labels, soon).toEqual(["overlap"]);
    const [first] = receiver.received;
    expect(first!.headers["webhook-signature"]!.split(" ")).toHaveLength(2);
    for (const { secret } of [old, rotated]) {
      expect(new StandardWebhook(secret).verify(first!.text, first!.headers)).toEqual(first!.body);
    }
    await sql`update webhooks set previous_secret_expires_at = now() - interval '1 second'`;
    await publish("after");
    await expect.poll(labels, soon).toEqual(["overlap", "after"]);
    const last = receiver.received[1]!;
    expect(() => new StandardWebhook(old.secret).verify(last.text, last.headers)).toThrow();
    expect(new StandardWebhook(rotated.secret).verify(last.text, last.headers)).toEqual(last.body);
  });

  it("that cannot be read fails its deliveries with the reason", async () => {
    const { id } = await create();
    await sql`update webhooks set secret = 'sealed with another AUTH_SECRET'::bytea`;
    await publish("unsigned");
    await expect
      .poll(() => newestOf(id), soon)
      .toMatchObject({ attempts: 1, error: expect.stringContaining("Rotate") });
    expect(receiver.received).toEqual([]);
  });
});

test("an event passes while its webhook is deleted by another transaction", async () => {
  const { id } = await create();
  await sql.begin(async (tx) => {
    await tx`delete from webhooks where id = ${id}`;
    await publish("meanwhile");
  });
  expect(receiver.received).toEqual([]);
});

test("a disabled webhook receives nothing, and after a day its waiting deliveries end", async () => {
  const { id } = await create();
  receiver.answer(() => 500);
  await publish("waits");
  await expect.poll(() => newestOf(id), soon).toMatchObject({ attempts: 1 });
  expect(await ask(`PATCH ${path()}/${id}`, { body: { enabled: false } })).toMatchObject({
    enabled: false,
    disabledReason: "requested",
  });
  await sql`update webhook_deliveries set requested_at = now() - interval '25 hours', due_at = now()`;
  await runHousekeeping(db);
  expect(await newestOf(id)).toMatchObject({ status: "Failed", attempts: 1 });
  expect(await ask(`PATCH ${path()}/${id}`, { body: { enabled: true } })).toMatchObject({
    enabled: true,
    disabledAt: null,
    disabledReason: null,
  });
});

test("ended deliveries are deleted after 30 days, and all but the last 1,000", async () => {
  const { id } = await create();
  await sql`
    insert into webhook_deliveries (project_id, webhook_id, source, event_id, type, data, status, requested_at, created_at)
    select ${projectId}, ${id}, 'of ' || n, gen_random_uuid(), 'model-trained', jsonb_build_object('projectId', ${projectId}::text),
      'Delivered', now(), now() - n * interval '1 minute' from generate_series(1, 1010) n`;
  const count = async () => (await sql`select count(*)::int as n from webhook_deliveries`)[0]!.n;
  await publish("newest");
  await expect.poll(count, soon).toBe(1_000);
  await sql`update webhook_deliveries set created_at = now() - interval '31 days' where source > 'of 5'`;
  const [{ n: young }] = await sql<[{ n: number }]>`
    select count(*)::int as n from webhook_deliveries where created_at > now() - interval '30 days'`;
  await runHousekeeping(db);
  expect(await count()).toBe(young);
});

test("a project keeps at most 20 webhooks, however many are created at once", async () => {
  for (let count = 0; count < 17; count++) await create();
  const results = await Promise.allSettled(Array.from({ length: 8 }, () => create()));
  expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
});

test.each([
  [{ url: "ftp://example.com" }, "url"],
  [{ url: "https://user:password@example.com" }, "url"],
  [{ url: "example.com" }, "url"],
  [{ url: `https://example.com/${"x".repeat(2_000)}` }, "url"],
  [{ events: [] }, "events"],
  [{ events: ["made-up"] }, "events.0"],
  [{ events: ["model-trained", "model-trained"] }, "events"],
])("rejects %j", async (body, field) => {
  await expect(create(body)).rejects.toThrow(field);
});

test("the audit log shows no address, because it may contain a secret", async () => {
  const { id } = await create({ url: receiver.url("/T0/secret-of-slack") });
  await ask(`PATCH ${path()}/${id}`, {
    body: { url: receiver.url("/T1/secret-of-slack"), events: ["model-trained"] },
  });
  const log = await ask<object[]>(`GET /projects/${projectId}/audit`);
  expect(log[0]).toMatchObject({
    action: "webhook.updated",
    changes: [
      { field: "url", from: null, to: null },
      { field: "events", from: "scenario-completed", to: "model-trained" },
    ],
  });
  expect(JSON.stringify(log)).not.toContain("secret-of-slack");
});
