import { createSocket } from "node:dgram";
import { lookup } from "node:dns/promises";
import { once } from "node:events";
import { afterAll, describe, expect, it } from "vitest";
import { setEnvironment } from "#testing/set-environment";
import { createWebhookProject, soon } from "#testing/webhook-project";
import { startReceiver } from "#testing/webhook-receiver";
import { resolver } from "./resolve-host.ts";

/** A name server that never answers. */
const silent = createSocket("udp4");
silent.bind(0, "127.0.0.1");
await once(silent, "listening");
const resolve = resolver({ allowLocal: true, servers: [`127.0.0.1:${silent.address().port}`] });
afterAll(() => silent.close());

const {
  sql,
  receiver,
  project,
  path,
  ask,
  deliveriesOf,
  create,
  read,
  newestOf,
  publish,
  labels,
  hurriedStatus,
} = await createWebhookProject({ resolve });

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
    const [entry] = await ask<{ action: string; label: string }[]>(`GET /projects/${project.id}/audit`);
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

  it("with a name server that never answers fails in time, and delays neither others nor their lookups", async () => {
    const hosts = Array.from({ length: 12 }, (_, index) => `hooks-${index}.example`);
    const [first] = await Promise.all(hosts.map((host) => create({ url: `http://${host}/` })));
    await create();
    await publish("beside");
    await expect.poll(labels, soon).toEqual(["beside"]);
    expect(await lookup("localhost", { family: 4 })).toMatchObject({ address: "127.0.0.1" });
    expect(await newestOf(first!.id)).toMatchObject({ status: "Pending", error: null });
    await expect
      .poll(() => newestOf(first!.id), soon)
      .toMatchObject({ attempts: 1, error: "The connection failed: ETIMEOUT" });
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
