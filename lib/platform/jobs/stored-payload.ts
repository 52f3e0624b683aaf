import type { JobType } from "#lib/contract/jobs";
import { DomainError } from "#lib/platform/errors/domain-error";
import { catalogue, type PayloadOf } from "./catalogue.ts";

/**
 * Returns the payload of a stored job.
 *
 * @throws {DomainError} job_not_retryable if an older version of the service stored a payload that is no longer valid
 */
export function storedPayload<T extends JobType>(job: { type: T; payload: unknown }): PayloadOf<T> {
  const { data, error } = catalogue[job.type].payload.safeParse(job.payload);
  if (error === undefined) return data as PayloadOf<T>;
  const details = error.issues.map(({ path, message }) => ({
    message: path.length > 0 ? `${path.join(".")}: ${message}` : message,
  }));
  const message = "The stored request is no longer valid. Send a new request.";
  throw new DomainError("job_not_retryable", message, { details });
}
