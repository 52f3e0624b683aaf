import { logger } from "#lib/log/logger";
import { metrics } from "#lib/metrics/metrics";
import type { Call } from "./call.ts";

/** One line a call, and its part of the metrics. `cause` is what went wrong on our side, which the caller is not told. */
export function logCall(call: Call, status: number, durationMs: number, cause: unknown): void {
  const { actor, declaration, request, requestId } = call;
  const labels = { operation: declaration.operationId, method: request.method };
  metrics().calls.inc({ ...labels, status });
  metrics().callSeconds.observe(labels, durationMs / 1000);
  const line = {
    requestId,
    operation: declaration.operationId,
    method: request.method,
    path: new URL(request.url).pathname,
    status,
    durationMs: Math.round(durationMs * 10) / 10,
    ...(actor ? { userId: actor.userId } : {}),
    ...(actor?.kind === "api-key" ? { apiKeyId: actor.apiKeyId } : {}),
  };
  if (cause !== undefined) logger().error({ ...line, err: cause }, "call failed");
  else logger().info(line, "call");
}
