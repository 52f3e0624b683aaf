import { createServer, type IncomingHttpHeaders, request } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import type { PusherSettings } from "#lib/platform/config/environment";
import { clientAddress } from "./client-address.ts";
import { prepareRequest, setHeaders } from "./prepare-request.ts";

const pusher: PusherSettings = {
  appId: "app",
  key: "key",
  secret: "secret",
  host: "127.0.0.1",
  port: 6001,
  useTls: false,
  cluster: null,
};

const servers: ReturnType<typeof createServer>[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** Sends a request through a real server. Returns the headers that handlers see and those of the answer. */
async function through(
  sent: Record<string, string>,
  trustedProxies = 0,
  path = "/",
): Promise<{ seen: IncomingHttpHeaders; answered: IncomingHttpHeaders }> {
  const server = createServer((incoming, response) => {
    setHeaders(response, prepareRequest(incoming, { pusher, trustedProxies }, false));
    response.end(JSON.stringify(incoming.headers));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const headers = { host: "localhost:3000", ...sent };
    request({ port, host: "127.0.0.1", path, headers }, async (response) => {
      let body = "";
      for await (const chunk of response) body += chunk;
      resolve({ seen: JSON.parse(body), answered: response.headers });
    })
      .on("error", reject)
      .end();
  });
}

test("ignores an address that the caller sends", async () => {
  const { seen } = await through({ "x-client-address": "1.1.1.1", "x-forwarded-for": "2.2.2.2" });
  expect(seen["x-client-address"]).toBe("127.0.0.1");
  expect(seen["x-forwarded-for"]).toBeUndefined();
});

test("overwrites the path and nonce that the caller sends for pages", async () => {
  const { seen } = await through({ "x-requested-path": "//evil.test", "x-nonce": "mine" });
  expect(seen["x-requested-path"]).toBe("/");
  expect(seen["x-nonce"]).not.toBe("mine");
});

test("makes the path of a page decodable, and leaves others as they are", async () => {
  const requested = async (path: string) => (await through({}, 0, path)).seen["x-requested-path"] as string;
  expect(await requested("/projects/%ff?x=%ff")).toBe("/%2Fprojects%2F%25ff");
  const parts = fc.array(fc.constantFrom("/", "%", "%2", "%41", "%ff", "%c3%a4", "%e0%a4", "a", "?", "%00"));
  await fc.assert(
    fc.asyncProperty(parts, async (given) => {
      const path = `/${given.join("")}`;
      const seen = await requested(path);
      expect(() => decodeURIComponent(seen.split("?", 1)[0]!)).not.toThrow();
      const isValid = !/%(?!41|c3%a4|00)/.test(path.replaceAll("%c3%a4", "").split("?", 1)[0]!);
      if (isValid) expect(seen).toBe(path);
    }),
    { numRuns: 50 },
  );
});

test("removes the header RSC from calls of the API and keeps it for pages", async () => {
  const sent = { rsc: "1" };
  expect((await through(sent, 0, "/api/v1/projects")).seen).not.toHaveProperty("rsc");
  expect((await through(sent, 0, "/projects")).seen).toHaveProperty("rsc", "1");
});

test("requires HTTPS for later requests only if a trusted proxy reports HTTPS", async () => {
  const sent = { "x-forwarded-proto": "https" };
  expect((await through(sent, 1)).answered["strict-transport-security"]).toBe("max-age=31536000");
  expect((await through(sent)).answered["strict-transport-security"]).toBeUndefined();
});

test("behind one trusted proxy, takes the address that the proxy saw", async () => {
  const { seen } = await through({ "x-forwarded-for": "6.6.6.6, 2.2.2.2" }, 1);
  expect(seen["x-client-address"]).toBe("2.2.2.2");
});

test("behind N trusted proxies, ignores entries that the caller adds on the left", () => {
  fc.assert(
    fc.property(
      fc.array(fc.ipV4()),
      fc.ipV4(),
      fc.array(fc.ipV4(), { maxLength: 3 }),
      (forged, client, proxies) => {
        const path = [...forged, client, ...proxies];
        const headers = { "x-forwarded-for": path.slice(0, -1).join(", ") };
        expect(clientAddress(headers, path.at(-1), proxies.length)).toBe(client);
      },
    ),
  );
});

test("returns the IPv4 address of an IPv4 caller on a dual-stack socket", () => {
  expect(clientAddress({}, "::ffff:10.1.2.3", 0)).toBe("10.1.2.3");
  expect(clientAddress({}, "2001:db8::1", 0)).toBe("2001:db8::1");
});

test.each([
  ["203.0.113.7:51514", "203.0.113.7"],
  ["[2001:db8::1]:51514", "2001:db8::1"],
  ["[2001:db8::1]", "2001:db8::1"],
  ["2001:db8::1", "2001:db8::1"],
])("returns the address without the port that some proxies add: %s", (entry, address) => {
  expect(clientAddress({ "x-forwarded-for": entry }, "10.0.0.1", 1)).toBe(address);
});

test("creates a nonce for each answer, and passes the page the policy of the answer", async () => {
  const [first, second] = [await through({}), await through({})];
  const policy = first.answered["content-security-policy"];
  expect(policy).toContain(`'nonce-${first.seen["x-nonce"]}'`);
  expect(first.seen["content-security-policy"]).toBe(policy);
  expect(first.seen["x-nonce"]).not.toBe(second.seen["x-nonce"]);
});

test("allows the page to connect to the realtime server on its own host, and forbids frames", async () => {
  const { answered } = await through({});
  expect(answered["content-security-policy"]).toContain("connect-src 'self' ws://localhost:6001;");
  expect(answered["content-security-policy"]).toContain("frame-ancestors 'none'");
  expect(answered["x-content-type-options"]).toBe("nosniff");
  expect(answered["referrer-policy"]).toBe("strict-origin-when-cross-origin");
});

test("adds no directive from the Host header to the policy", async () => {
  const { answered } = await through({ host: "a; script-src *" });
  expect(answered["content-security-policy"]).not.toContain("script-src *");
});
