import type { Database } from "#db/client";
import { environment } from "#lib/config/environment";
import { DomainError } from "#lib/errors/domain-error";
import { countCall } from "#lib/rate-limits/count-call";
import type { Rate, Verdict } from "#lib/rate-limits/rate";

/**
 * Counts one call of a key and writes the state into the answer's headers.
 *
 * @throws {DomainError} `rate_limited`
 */
export async function limitCalls(db: Database, apiKeyId: string, headers: Headers): Promise<void> {
  const rate = environment().rateLimit;
  const state = await countCall(db, `key:${apiKeyId}`, rate);
  writeLimits(headers, rate, state);
  if (!state.allowed) throw rateLimited(state);
}

/**
 * `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers): quota and window, what is left at once, and
 * the seconds until all of it is there again. The draft has no word for a burst, so that it is a parameter of our own.
 */
export function writeLimits(
  headers: Headers,
  rate: Rate,
  state: Pick<Verdict, "remaining" | "resetSeconds">,
): void {
  headers.set("RateLimit-Policy", `"default";q=${rate.perMinute};w=60;burst=${rate.burst}`);
  headers.set("RateLimit", `"default";r=${state.remaining};t=${state.resetSeconds}`);
}

/** What a caller may do who has not been counted: everything. */
export function writeFullLimits(headers: Headers): void {
  const rate = environment().rateLimit;
  writeLimits(headers, rate, { remaining: rate.burst, resetSeconds: 0 });
}

export function rateLimited({ retryAfterSeconds }: Pick<Verdict, "retryAfterSeconds">): DomainError {
  const message = `Too many requests: wait ${retryAfterSeconds} s, as Retry-After says.`;
  return new DomainError("rate_limited", message, { retryAfterSeconds });
}
