import { createHash } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { credentials, startRealtime } from "#testing/realtime";
import { signed } from "./signatures.ts";

const realtime = await startRealtime();
afterAll(() => realtime.close());

const path = (resource: string) => `/apps/${credentials.appId}/${resource}`;
const nowSeconds = () => Math.floor(Date.now() / 1000);

/** Posts a call. The signature covers exactly these parameters. */
async function post(resource: string, body: unknown, changed: Record<string, string | undefined> = {}) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const given: Record<string, string | undefined> = {
    auth_key: credentials.key,
    auth_timestamp: String(nowSeconds()),
    auth_version: "1.0",
    body_md5: createHash("md5").update(text).digest("hex"),
    ...changed,
  };
  const parameters = Object.entries(given)
    .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]))
    .sort();
  const signature = signed(credentials.secret, ["POST", path(resource), parameters.join("&")].join("\n"));
  const url = `http://127.0.0.1:${realtime.port}${path(resource)}?${parameters.join("&")}&auth_signature=${signature}`;
  const response = await fetch(url, { method: "POST", body: text });
  expect(response.headers.get("content-type")).toBe("application/json");
  return response.status;
}

const event = { name: "x", channels: ["private-updates"], data: "{}" };
const names = (count: number) => Array.from({ length: count }, (_, index) => `private-${index}`);
const batch = (count: number) => ({
  batch: names(count).map((channel) => ({ channel, name: "x", data: "{}" })),
});

test.each([
  ["an event", "events", event, 200],
  ["an event for one channel", "events", { name: "x", channel: "private-updates", data: "{}" }, 200],
  ["an event for 100 channels", "events", { ...event, channels: names(100) }, 200],
  ["an event for 101 channels", "events", { ...event, channels: names(101) }, 400],
  ["an event for no channel", "events", { ...event, channels: [] }, 400],
  ["an event for a channel with a space", "events", { ...event, channels: ["private-a b"] }, 400],
  [
    "an event for a name of 200 characters",
    "events",
    { ...event, channels: ["private-".padEnd(200, "x")] },
    200,
  ],
  [
    "an event for a name of 201 characters",
    "events",
    { ...event, channels: ["private-".padEnd(201, "x")] },
    400,
  ],
  ["an event with a name of 200 characters", "events", { ...event, name: "x".repeat(200) }, 200],
  ["an event with a name of 201 characters", "events", { ...event, name: "x".repeat(201) }, 400],
  ["an event with data other than text", "events", { ...event, data: {} }, 400],
  ["an event without data", "events", { name: "x", channels: ["private-updates"] }, 400],
  ["an event that excludes a socket", "events", { ...event, socket_id: "1.2" }, 200],
  ["an event that excludes an invalid socket id", "events", { ...event, socket_id: "1.2:private-x" }, 400],
  ["a batch of 10", "batch_events", batch(10), 200],
  ["a batch of 11", "batch_events", batch(11), 400],
  ["a batch with 10 times 10 kB", "batch_events", large(10, 10_240), 200],
  ["a batch with one event over 10 kB", "batch_events", large(1, 10_241), 413],
  ["a body larger than any valid call", "events", { ...event, data: "x".repeat(600_000) }, 413],
  ["invalid JSON", "events", "{", 400],
  ["JSON without an object", "events", "[]", 400],
  ["an unknown resource", "event", event, 404],
])("%s receives status %s", async (_, resource, body, status) => {
  expect(await post(resource, body)).toBe(status);
});

function large(count: number, bytes: number) {
  return { batch: names(count).map((channel) => ({ channel, name: "x", data: "x".repeat(bytes) })) };
}

test.each([
  ["as the libraries do", {}, 200],
  ["590 s ago", { auth_timestamp: String(nowSeconds() - 590) }, 200],
  ["601 s ago", { auth_timestamp: String(nowSeconds() - 601) }, 401],
  ["590 s from now", { auth_timestamp: String(nowSeconds() + 590) }, 200],
  ["700 s from now", { auth_timestamp: String(nowSeconds() + 700) }, 401],
  ["without a time", { auth_timestamp: undefined }, 401],
  ["with an unknown key", { auth_key: "another" }, 401],
  ["with another version", { auth_version: "2.0" }, 401],
  ["without the body's digest", { body_md5: undefined }, 401],
  ["with the digest of another body", { body_md5: createHash("md5").update("{}").digest("hex") }, 401],
] as const)("a call signed %s receives status %s", async (_, changed, status) => {
  expect(await post("events", event, changed)).toBe(status);
});
