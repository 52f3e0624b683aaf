import type { Database } from "#db/client";
import { environment } from "#lib/platform/config/environment";
import { countLeasedCall } from "#lib/platform/rate-limits/leased-calls";
import { rateLimitedError } from "#lib/platform/rate-limits/rate-limited-error";
import { type SetHeaders, writeLimits } from "./rate-limit-headers.ts";

/**
 * Counts one request of a key and writes the rate limit headers. The limit holds across all processes. Only `answer` and
 * `answerMcp` count; requests that are answered before them, such as malformed ones, are neither authenticated nor counted.
 *
 * @throws {DomainError} `rate_limited`
 */
export async function limitCalls(db: Database, apiKeyId: string, headers: SetHeaders): Promise<void> {
  const state = await countLeasedCall(db, `key:${apiKeyId}`, environment().rateLimit);
  if (!state.allowed) throw rateLimitedError(state);
  writeLimits(headers, state);
}
