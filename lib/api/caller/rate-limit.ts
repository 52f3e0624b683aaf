import type { Database } from "#db/client";
import { environment } from "#lib/platform/config/environment";
import { DomainError } from "#lib/platform/errors/domain-error";
import { type Verdict, verdict } from "#lib/platform/rate-limits/rate";
import { leasedCalls } from "#lib/rate-limits/leased-calls";

/** Of an answer: the web's own, or a map. */
type SetHeaders = { set(name: string, value: string): unknown };

/** The largest integer that a structured field can hold (RFC 9651, 3.3.1). */
const largest = 999_999_999_999_999;

/**
 * Counts one call of a key and writes the state into the answer's headers.
 *
 * @throws {DomainError} `rate_limited`
 */
export async function limitCalls(db: Database, apiKeyId: string, headers: SetHeaders): Promise<void> {
  const state = await leasedCalls(db).count(`key:${apiKeyId}`, environment().rateLimit);
  if (!state.allowed) throw rateLimited(state);
  writeLimits(headers, state);
}

/**
 * `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-11): quota and window, what is left at once,
 * and the seconds in which no more than that may come. The draft has no word for a burst and wants words of one's own to
 * begin with one's name.
 */
function writeLimits(headers: SetHeaders, state: Pick<Verdict, "remaining" | "windowSeconds">): void {
  const { perMinute, burst } = environment().rateLimit;
  const integer = (value: number) => Math.min(value, largest);
  headers.set("RateLimit-Policy", `"default";q=${integer(perMinute)};w=60;mps-burst=${integer(burst)}`);
  headers.set("RateLimit", `"default";r=${integer(state.remaining)};t=${integer(state.windowSeconds)}`);
}

/** What a caller may do who has not been counted: everything. */
export function writeFullLimits(headers: SetHeaders): void {
  writeLimits(headers, verdict(environment().rateLimit, true, 0));
}

/** Whatever the limit was: no more may come before the time that `Retry-After` says. */
export function writeNothingLeft(headers: SetHeaders, { retryAfterSeconds = 1 }: DomainError): void {
  writeLimits(headers, { remaining: 0, windowSeconds: retryAfterSeconds });
}

export function rateLimited({ windowSeconds }: Pick<Verdict, "windowSeconds">): DomainError {
  const message = `Too many requests: wait ${windowSeconds} s, as Retry-After says.`;
  return new DomainError("rate_limited", message, { retryAfterSeconds: windowSeconds });
}
