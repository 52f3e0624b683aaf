import { afterEach, beforeEach, expect, test } from "vitest";
import { type Realtime, startRealtime, subscribe } from "#testing/realtime";

let realtime: Realtime;
beforeEach(async () => {
  realtime = await startRealtime();
});
afterEach(() => realtime.close());

const get = async (path: string, params?: Record<string, string>) =>
  (await realtime.api.get({ path, ...(params ? { params } : {}) })).json();
const statusOf = (call: Promise<unknown>) =>
  call.then(
    () => 200,
    (error: { status: number }) => error.status,
  );

test("a call for a channel returns whether it is occupied, and its subscription count on request", async () => {
  expect(await get("/channels/private-updates")).toEqual({ occupied: false });
  await subscribe(realtime.connect(), "private-updates");
  await subscribe(realtime.connect(), "private-updates");
  expect(await get("/channels/private-updates", { info: "subscription_count" })).toEqual({
    occupied: true,
    subscription_count: 2,
  });
});

test("a call that triggers an event returns subscription counts on request", async () => {
  await subscribe(realtime.connect(), "private-updates");
  const response = await realtime.api.trigger(
    ["private-updates", "private-elsewhere"],
    "x",
    {},
    { info: "subscription_count" },
  );
  expect(await response.json()).toEqual({
    channels: {
      "private-updates": { subscription_count: 1 },
      "private-elsewhere": { subscription_count: 0 },
    },
  });
  const batch = await realtime.api.triggerBatch([
    { channel: "private-updates", name: "x", data: {}, info: "subscription_count" },
  ]);
  expect(await batch.json()).toEqual({ batch: [{ subscription_count: 1 }] });
});

test.each([
  ["an unknown path", "/nothing", 404],
  ["a name with an incomplete %-escape", "/channels/%zz", 400],
  ["a path below the users of a channel", "/channels/a/users/b", 404],
])("rejects %s and still answers the next call", async (_, path, status) => {
  expect(await statusOf(get(path))).toBe(status);
  expect(await get("/channels")).toEqual({ channels: {} });
});

test("answers the liveness probe without credentials", async () => {
  const response = await fetch(`http://127.0.0.1:${realtime.port}/api/health/live`);
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({ status: "ok" });
});
