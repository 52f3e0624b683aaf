import type { DomainError } from "#lib/platform/errors/domain-error";
import { outageCause } from "#lib/platform/errors/outage";
import { metrics } from "#lib/platform/metrics/metrics";

/** Counts an error response by its code, and one with status 503 by its cause. */
export function countError(operation: string, error: DomainError): void {
  const { errors, unavailable } = metrics();
  errors.inc({ operation, code: error.code });
  if (error.code !== "service_unavailable") return;
  unavailable.inc({ cause: error.lacks ?? outageCause(error) ?? "other" });
}
