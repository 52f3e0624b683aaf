import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { logger } from "#lib/platform/log/logger";

/**
 * Requests one page from a server that has just started. The first page loads the rendering code, which takes a third
 * of a second. Otherwise the first caller would wait for it.
 *
 * @param address address on which the server listens
 */
export async function renderOnce({ address, family, port }: AddressInfo): Promise<void> {
  const loopback = family === "IPv6" ? "::1" : "127.0.0.1";
  const host = address === "::" || address === "0.0.0.0" ? loopback : address;
  try {
    const request = get({ host, port, path: "/login", agent: false });
    const [answer] = (await once(request, "response")) as [IncomingMessage];
    answer.resume();
    await once(answer, "end");
  } catch (error) {
    logger().debug({ err: error }, "the warm-up request failed");
  }
}
