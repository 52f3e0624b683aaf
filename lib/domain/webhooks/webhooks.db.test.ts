import { Webhook as StandardWebhook } from "standardwebhooks";
import { describe, expect, it, test } from "vitest";
import type { WebhookWithSecret } from "#lib/contract/webhooks";
import { runHousekeeping } from "#server/worker/housekeeping";
import { createWebhookProject, soon } from "#testing/webhook-project";

const { db, sql, receiver, project, path, ask, create, read, newestOf, publish, labels } =
  await createWebhookProject();

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
  // An attempt counts before it is sent.
  await expect.poll(() => newestOf(id), soon).toMatchObject({ attempts: 1, responseStatus: 500 });
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
    select ${project.id}, ${id}, 'of ' || n, gen_random_uuid(), 'model-trained', jsonb_build_object('projectId', ${project.id}::text),
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
  const log = await ask<object[]>(`GET /projects/${project.id}/audit`);
  expect(log[0]).toMatchObject({
    action: "webhook.updated",
    changes: [
      { field: "url", from: null, to: null },
      { field: "events", from: "scenario-completed", to: "model-trained" },
    ],
  });
  expect(JSON.stringify(log)).not.toContain("secret-of-slack");
});
