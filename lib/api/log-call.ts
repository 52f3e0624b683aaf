import type { Actor } from "#lib/platform/context/context";
import { logger, plainLogger } from "#lib/platform/log/logger";
import { metrics } from "#lib/platform/metrics/metrics";

type LoggedCall = {
  requestId: string;
  /** Operation ID of the route. `none` if no route matched. */
  operation: string;
  method: string;
  path: string;
  /** null if the caller is unknown. */
  actor: Actor | null;
};

/**
 * Writes one log line per request and updates the metrics. `cause` is an internal error, which the response does not
 * contain.
 */
export function logCall(
  { actor, operation, method, path, requestId }: LoggedCall,
  status: number,
  durationMs: number,
  cause?: unknown,
): void {
  const labels = { operation, method };
  metrics().calls.inc({ ...labels, status });
  metrics().callSeconds.observe(labels, durationMs / 1000);
  const line = {
    requestId,
    operation,
    method,
    path,
    status,
    durationMs: Math.round(durationMs * 10) / 10,
    ...(actor ? { userId: actor.userId } : {}),
    ...(actor?.kind === "api-key" ? { apiKeyId: actor.apiKeyId } : {}),
  };
  if (cause !== undefined) logger().error({ ...line, err: cause }, "request failed");
  else plainLogger().info(line, "call");
}
