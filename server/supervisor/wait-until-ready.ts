import { setTimeout as delay } from "node:timers/promises";
import { StartError } from "#lib/config/start-error";

type Options = {
  url: string;
  timeoutMs: number;
  signal: AbortSignal;
};

/**
 * Asks until the answer is 200.
 *
 * @throws {StartError} with the last answer when it takes too long
 */
export async function waitUntilReady({ url, timeoutMs, signal }: Options): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  let last = "no answer";
  while (Date.now() < deadline) {
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
  throw new StartError(`The service is not ready after ${timeoutMs / 1000} s; ${url} answers: ${last}`);
}
