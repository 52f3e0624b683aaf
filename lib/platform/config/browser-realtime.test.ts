import { expect, test } from "vitest";
import { browserRealtime } from "./browser-realtime.ts";
import { type PusherSettings, parseEnvironment } from "./environment.ts";

const embedded: PusherSettings = {
  appId: "app",
  key: "key",
  secret: "secret",
  host: "127.0.0.1",
  port: 6001,
  useTls: false,
  cluster: null,
};

test.each([
  ["localhost:3000", "localhost"],
  ["10.0.0.5:3000", "10.0.0.5"],
  ["predictions.example.com", "predictions.example.com"],
  ["[::1]:3000", "[::1]"],
  ["", "localhost"],
  ["a b; script-src *", "localhost"],
])("a browser on %s finds the embedded server under its page's host name", (page, host) => {
  expect(browserRealtime(embedded, page)).toEqual({ key: "key", host, port: 6001, tls: false });
});

test("a separate service keeps its own host, independent of the page's host", () => {
  const settings = { ...embedded, host: "push.example.com", port: null, useTls: true };
  expect(browserRealtime(settings, "localhost:3000")).toMatchObject({
    host: "push.example.com",
    port: 443,
    tls: true,
  });
});

test("derives the address of a hosted service from its cluster", () => {
  const settings = { ...embedded, host: null, port: null, useTls: true, cluster: "eu" };
  expect(browserRealtime(settings, "localhost:3000").host).toBe("ws-eu.pusher.com");
});

test.each([
  ["wss://predictions.example.com", { host: "predictions.example.com", port: 443, tls: true }],
  ["ws://localhost:3000/", { host: "localhost", port: 3000, tls: false }],
])(
  "browsers reach it at REALTIME_PUBLIC_URL=%s while this service reaches it elsewhere",
  (address, there) => {
    const keys = { PUSHER_APP_ID: "app", PUSHER_KEY: "key", PUSHER_SECRET: "secret-secret" };
    const { pusher } = parseEnvironment({ ...keys, PUSHER_HOST: "realtime", REALTIME_PUBLIC_URL: address });
    expect(pusher?.host).toBe("realtime");
    expect(browserRealtime(pusher!, "page.example.com")).toEqual({ key: "key", ...there });
  },
);
