import type { LookupAddress } from "node:dns";
import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { startReceiver } from "#testing/webhook-receiver";
import { postPinned } from "./post-pinned.ts";
import type { Resolve } from "./resolve-host.ts";

let receiver: Awaited<ReturnType<typeof startReceiver>>;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

const local: LookupAddress = { address: "127.0.0.1", family: 4 };
const outside: LookupAddress = { address: "8.8.8.8", family: 4 };
const body = JSON.stringify({ type: "webhook-test" });

function post(
  url: string,
  {
    resolve,
    allowPrivate = true,
    ms = 5_000,
  }: { resolve?: Resolve; allowPrivate?: boolean; ms?: number } = {},
) {
  const headers = { "content-type": "application/json", "content-length": String(body.length) };
  const signal = AbortSignal.timeout(ms);
  return postPinned(url, { headers, body, signal, allowPrivate, ...(resolve && { resolve }) });
}

const named = (path = "/hooks") => `http://hooks.example:${receiver.port}${path}`;

describe("the address of a name", () => {
  it("is resolved once, and the connection uses exactly this address", async () => {
    const asked: string[] = [];
    const resolve: Resolve = async (host) => {
      asked.push(host);
      return [local];
    };
    expect(await post(named(), { resolve })).toEqual({ status: 204, body: "" });
    expect(asked).toEqual(["hooks.example"]);
    expect(receiver.received[0]!.headers.host).toBe(`hooks.example:${receiver.port}`);
  });

  it.each([
    ["private", [local]],
    ["public and private", [outside, local]],
    ["mapped", [{ address: "::ffff:127.0.0.1", family: 6 }]],
    ["link-local with a zone", [{ address: "fe80::1%lo", family: 6 }]],
  ])("is refused without a connection if it is %s", async (_, addresses) => {
    const resolve = async () => addresses;
    await expect(post(named(), { resolve, allowPrivate: false })).rejects.toThrow("The address is private");
    expect(receiver.received).toEqual([]);
  });

  it("cannot change between the check and the connection", async () => {
    // The first answer passes the check; a second question would get the private address.
    const answers = [[outside], [local]];
    const resolve: Resolve = async () => answers.shift()!;
    await expect(post(named(), { resolve, allowPrivate: false, ms: 300 })).rejects.toThrow();
    expect([answers.length, receiver.received.length]).toEqual([1, 0]);
  });

  it("is refused as a literal", async () => {
    for (const host of ["127.0.0.1", "[::ffff:127.0.0.1]", "127.1", "2130706433"]) {
      const url = `http://${host}:${receiver.port}/hooks`;
      await expect(post(url, { allowPrivate: false })).rejects.toThrow("The address is private");
    }
    expect(receiver.received).toEqual([]);
  });

  it("fails if it does not exist or its server does not answer", async () => {
    await expect(post(named(), { resolve: async () => [] })).rejects.toThrow("The name has no address");
    const hanging = () => new Promise<never>(() => {});
    await expect(post(named(), { resolve: hanging, ms: 50 })).rejects.toThrow("No answer in time");
  });
});

describe("the answer", () => {
  it("of a redirect is returned, not followed", async () => {
    receiver.answer((_, response) => {
      response.writeHead(302, { location: receiver.url("/elsewhere") }).end();
      return undefined;
    });
    expect((await post(receiver.url())).status).toBe(302);
    expect(receiver.received.map(({ path }) => path)).toEqual(["/hooks"]);
  });

  it("is read up to one kilobyte", async () => {
    receiver.answer((_, response) => {
      response.writeHead(200).write("\0a".repeat(5_000_000));
      return undefined;
    });
    const answer = await post(receiver.url());
    expect(answer).toEqual({ status: 200, body: "a".repeat(512) });
  });

  it("counts by its status if its body does not end in time", async () => {
    receiver.answer((_, response) => {
      response.writeHead(202).write("started");
      return undefined;
    });
    expect(await post(receiver.url(), { ms: 200 })).toEqual({ status: 202, body: "started" });
  });

  it("must begin in time", async () => {
    receiver.answer(() => undefined);
    await expect(post(receiver.url(), { ms: 100 })).rejects.toThrow("No answer in time");
  });
});

test("a closed port is a failed connection", async () => {
  const url = receiver.url();
  await receiver.close();
  await expect(post(url)).rejects.toThrow("The connection failed: ECONNREFUSED");
  receiver = await startReceiver();
});
