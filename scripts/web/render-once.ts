import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { logger } from "#lib/platform/log/logger";

/**
 * Has a page rendered that nobody looks at: what renders pages is loaded with the first of them, which takes a third of a
 * second that whoever comes first after a start would wait for.
 *
 * @param address where the server listens
 */
export async function renderOnce({ address, family, port }: AddressInfo): Promise<void> {
  const any = family === "IPv6" ? "::1" : "127.0.0.1";
  const host = address === "::" || address === "0.0.0.0" ? any : address;
  try {
    const asked = get({ host, port, path: "/login", agent: false });
    const [answer] = (await once(asked, "response")) as [IncomingMessage];
    answer.resume();
    await once(answer, "end");
  } catch (error) {
    logger().debug({ err: error }, "no page could be rendered beforehand");
  }
}
