import { environment } from "#lib/platform/config/environment";
import type { DomainError } from "#lib/platform/errors/domain-error";
import { type Verdict, verdict } from "#lib/platform/rate-limits/rate";

/** Headers of a response: web `Headers` or a map. */
export type SetHeaders = { set(name: string, value: string): unknown };

/** Largest integer of a structured field (RFC 9651, 3.3.1). */
const largest = 999_999_999_999_999;

/**
 * Writes `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-11): quota and window, remaining
 * requests, and seconds until one more request is available. The draft has no parameter for a burst. Custom parameters
 * need a prefix, as in `mps-burst`.
 */
export function writeLimits(headers: SetHeaders, state: Pick<Verdict, "remaining" | "windowSeconds">): void {
  const { perMinute, burst } = environment().rateLimit;
  const integer = (value: number) => Math.min(value, largest);
  headers.set("RateLimit-Policy", `"default";q=${integer(perMinute)};w=60;mps-burst=${integer(burst)}`);
  headers.set("RateLimit", `"default";r=${integer(state.remaining)};t=${integer(state.windowSeconds)}`);
}

/** Writes the limits of a caller whose requests are not counted: all requests are available. */
export function writeUnusedLimits(headers: SetHeaders): void {
  writeLimits(headers, verdict(environment().rateLimit, true, 0));
}

/** Returns a response with the limits of a caller whose requests are not counted. */
export function withUnusedLimits(response: Response): Response {
  writeUnusedLimits(response.headers);
  return response;
}

/** Writes that no requests remain until `Retry-After` has passed, for any kind of limit. */
export function writeExhaustedLimits(headers: SetHeaders, { retryAfterSeconds = 1 }: DomainError): void {
  writeLimits(headers, { remaining: 0, windowSeconds: retryAfterSeconds });
}
