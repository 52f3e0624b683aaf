import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { logger } from "#lib/platform/log/logger";

/**
 * The sign-in page loads the code that renders pages; the document of the API loads all routes. Otherwise the first caller of each
 * would wait, and everybody else with it: up to 3 s on a busy machine, because modules are loaded in the thread that answers all
 * requests.
 */
const paths = ["/login", "/api/v1/openapi.json"];

/**
 * Requests what loads the code of a server that has just started.
 *
 * @param address address on which the server listens
 */
export async function warmUp({ address, family, port }: AddressInfo): Promise<void> {
  const loopback = family === "IPv6" ? "::1" : "127.0.0.1";
  const host = address === "::" || address === "0.0.0.0" ? loopback : address;
  for (const path of paths) {
    try {
      const request = get({ host, port, path, agent: false });
      const [answer] = (await once(request, "response")) as [IncomingMessage];
      answer.resume();
      await once(answer, "end");
    } catch (error) {
      logger().debug({ err: error, path }, "a warm-up request failed");
    }
  }
}
