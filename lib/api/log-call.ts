import type { Actor } from "#lib/context/context";
import { logger, plainLogger } from "#lib/platform/log/logger";
import { metrics } from "#lib/platform/metrics/metrics";

export type LoggedCall = {
  requestId: string;
  /** Of the route that answered; `none` where there is none. */
  operation: string;
  method: string;
  path: string;
  /** null where the caller is not known. */
  actor: Actor | null;
};

/** One line a call, and its part of the metrics. `cause` is what went wrong on our side, which the caller is not told. */
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
  if (cause !== undefined) logger().error({ ...line, err: cause }, "call failed");
  else plainLogger().info(line, "call");
}
