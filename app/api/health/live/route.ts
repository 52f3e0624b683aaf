import { withUnusedLimits } from "#lib/api/caller/rate-limit-headers";
import { answerLiveness } from "#lib/platform/health/probes";

export const dynamic = "force-dynamic";

export function GET(): Response {
  return withUnusedLimits(answerLiveness());
}
