import type { Database } from "#db/client";
import { limits } from "#lib/contract/limits";
import type { Project } from "#lib/contract/projects";
import type { SharedComparison } from "#lib/contract/shared-comparisons";
import { getProject } from "#lib/domain/projects/get-project";
import { comparisonOfLink, requireComparisonLinks } from "#lib/domain/saved-comparisons/comparison-link";
import { systemUser } from "#lib/domain/users/members";
import { clientAddressHeader } from "#lib/platform/context/client-address-header";
import { standardError } from "#lib/platform/errors/standard-error";
import { countCall } from "#lib/platform/rate-limits/count-call";
import { networkOf } from "#lib/platform/rate-limits/network-of";
import { rateLimitedError } from "#lib/platform/rate-limits/rate-limited-error";
import { compareScenarios } from "./compare-scenarios.ts";

/** Openings by one network, valid or not: 30, then one every two seconds. */
const networkRate = { perMinute: 30, burst: 30 };
const maxPoints = 1_000;

type Caller = { db: Database; requestId: string; signal: AbortSignal | undefined };

/**
 * Reads the saved comparison of a link, and nothing else of its project.
 *
 * @throws {DomainError} `not_found` for a link that has expired or ended, and for a comparison with less than two scenarios;
 *   `scenario_not_ready`, `rate_limited`
 */
export async function openSharedComparison(
  { db, requestId, signal }: Caller,
  { token, headers }: { token: string; headers: Pick<Headers, "get"> },
): Promise<SharedComparison> {
  requireComparisonLinks();
  const network = networkOf(headers.get(clientAddressHeader) ?? "unknown");
  const state = await countCall(db, `shared-comparison:${network}`, networkRate);
  if (!state.allowed) throw rateLimitedError(state);
  const shared = await comparisonOfLink(db, token);
  if (shared === null || shared.comparison.scenarioIds.length < limits.compareMin)
    throw standardError("not_found");
  const { projectId, name, scenarioIds: ids } = shared.comparison;
  const actor = { kind: "session", userId: systemUser, role: "admin" } as const;
  const ctx = { db, actor, requestId, signal };
  const project = await getProject(ctx, { projectId });
  const { comparison } = await compareScenarios(ctx, { projectId, ids, maxPoints });
  return { name, expiresAt: shared.expiresAt, project: shownOf(project), comparison };
}

/** Names of other columns are none of the reader's business. */
function shownOf({
  name,
  target,
  display,
  units,
  timezone,
  frequency,
}: Project): SharedComparison["project"] {
  const ofTarget = <T>(columns: Record<string, T>) =>
    target !== null && Object.hasOwn(columns, target) ? { [target]: columns[target]! } : {};
  return { name, target, display: ofTarget(display), units: ofTarget(units), timezone, frequency };
}
