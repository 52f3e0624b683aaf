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

test("a channel tells whether somebody listens, and how many where it is asked", async () => {
  expect(await get("/channels/updates")).toEqual({ occupied: false });
  await subscribe(realtime.connect(), "updates");
  await subscribe(realtime.connect(), "updates");
  expect(await get("/channels/updates", { info: "subscription_count" })).toEqual({
    occupied: true,
    subscription_count: 2,
  });
  expect(await statusOf(get("/channels/updates", { info: "user_count" }))).toBe(400);
});

test("a presence channel tells its users, one with two sockets once", async () => {
  for (const user of ["anna", "ben", "anna"]) await subscribe(realtime.connect(user), "presence-room");
  expect(await get("/channels/presence-room/users")).toEqual({ users: [{ id: "anna" }, { id: "ben" }] });
  expect(await get("/channels/presence-room", { info: "user_count,subscription_count" })).toEqual({
    occupied: true,
    user_count: 2,
    subscription_count: 3,
  });
  expect(await statusOf(get("/channels/updates/users"))).toBe(400);
});

test("who triggers an event may ask at once how many listen", async () => {
  await subscribe(realtime.connect(), "updates");
  const response = await realtime.api.trigger(
    ["updates", "elsewhere"],
    "x",
    {},
    { info: "subscription_count" },
  );
  expect(await response.json()).toEqual({
    channels: { updates: { subscription_count: 1 }, elsewhere: { subscription_count: 0 } },
  });
  const batch = await realtime.api.triggerBatch([
    { channel: "updates", name: "x", data: {}, info: "subscription_count" },
  ]);
  expect(await batch.json()).toEqual({ batch: [{ subscription_count: 1 }] });
});

test.each([
  ["a path that there is not", "/nothing", 404],
  ["a name with half a %-escape", "/channels/%zz", 400],
  ["users of an address too deep", "/channels/a/users/b", 404],
])("%s is refused, and the server lives on", async (_, path, status) => {
  expect(await statusOf(get(path))).toBe(status);
  expect(await get("/channels")).toEqual({ channels: {} });
});

test("a probe learns without credentials that the process answers", async () => {
  const response = await fetch(`http://127.0.0.1:${realtime.port}/api/health/live`);
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ status: "ok" });
});
