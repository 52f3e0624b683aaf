import { setTimeout as delay } from "node:timers/promises";
import { StartError } from "#lib/platform/errors/start-errors";

const timeoutMs = 120_000;

/**
 * Polls a URL until it returns status 200.
 *
 * @throws {StartError} with the last answer after two minutes; the reason of `signal`
 */
export async function waitUntilReady(url: string, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  let last = "no answer";
  while (performance.now() < deadline) {
    signal.throwIfAborted();
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(10_000) });
      const body = await response.text();
      if (response.status === 200) return;
      last = `${response.status} ${body.slice(0, 500)}`;
    } catch (error) {
      last = error instanceof Error ? String(error.cause ?? error.message) : String(error);
    }
    await delay(50, undefined, { signal });
  }
  throw new StartError(
    `The service was not ready after ${timeoutMs / 1000} s. Last answer of ${url}: ${last}`,
  );
}
