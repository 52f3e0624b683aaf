import { DomainError } from "#lib/platform/errors/domain-error";
import type { Verdict } from "./rate.ts";

export function rateLimitedError({ windowSeconds }: Pick<Verdict, "windowSeconds">): DomainError {
  const message = `Too many requests. Retry after ${windowSeconds} s.`;
  return new DomainError("rate_limited", message, { retryAfterSeconds: windowSeconds });
}
