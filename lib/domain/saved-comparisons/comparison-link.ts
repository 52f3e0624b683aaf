import { and, eq, gt, isNull, sql } from "drizzle-orm";
import type { Queryable, Transaction } from "#db/client";
import { comparisons } from "#db/schema/comparisons";
import { projects } from "#db/schema/projects";
import { verification } from "#db/schema/users";
import type { SavedComparison } from "#lib/contract/saved-comparisons";
import type { ComparisonLink, NewComparisonLink } from "#lib/contract/shared-comparisons";
import { lockProject } from "#lib/domain/projects/lock-project";
import { recordChange } from "#lib/platform/audit/record-change";
import { environment } from "#lib/platform/config/environment";
import { type Context, requireIfMatch, storeIdempotentResponse } from "#lib/platform/context/context";
import { standardError } from "#lib/platform/errors/standard-error";
import { createSecretLink, endSecretLinks, isSecretLink } from "#lib/platform/links/secret-links";
import { findComparison } from "./find-comparison.ts";

type Ids = { projectId: string; comparisonId: string };

const defaultDays = 30;

/** @throws {DomainError} `not_found` in a service that permits no links */
export function requireComparisonLinks(): void {
  if (!environment().comparisonLinks) throw standardError("not_found");
}

/** @throws {DomainError} `comparison_not_found`; `not_found` in a service that permits no links */
export async function getComparisonLink({ db }: { db: Queryable }, ids: Ids): Promise<ComparisonLink> {
  requireComparisonLinks();
  await findComparison(db, ids);
  return { expiresAt: await expiryOf(db, ids.comparisonId) };
}

/**
 * Creates the link of a comparison, and ends a former one.
 *
 * @throws {DomainError} `project_not_found`, `comparison_not_found`, `precondition_failed`; `not_found` in a service that permits no
 *   links
 */
export async function createComparisonLink(
  ctx: Context,
  { expiresInDays = defaultDays, ...ids }: Ids & { expiresInDays?: number | undefined },
): Promise<NewComparisonLink> {
  requireComparisonLinks();
  return ctx.db.transaction(async (tx) => {
    const comparison = await lockComparison(tx, ids);
    await requireIfMatch(ctx, () => getComparisonLink({ db: tx }, ids));
    await endSecretLinks(tx, ids.comparisonId);
    const link = { purpose: "comparison", subject: ids.comparisonId, hours: expiresInDays * 24 } as const;
    const token = await createSecretLink(tx, link);
    await recordChange(tx, ctx, "comparison.shared", audited(comparison));
    const expiresAt = (await expiryOf(tx, ids.comparisonId))!;
    return storeIdempotentResponse(tx, ctx, { token, expiresAt });
  });
}

/**
 * Ends the link of a comparison, if it has one.
 *
 * @throws {DomainError} `project_not_found`, `comparison_not_found`, `precondition_failed`; `not_found` in a service that permits no
 *   links
 */
export async function endComparisonLink(ctx: Context, ids: Ids): Promise<ComparisonLink> {
  requireComparisonLinks();
  return ctx.db.transaction(async (tx) => {
    const comparison = await lockComparison(tx, ids);
    await requireIfMatch(ctx, () => getComparisonLink({ db: tx }, ids));
    const isShared = (await expiryOf(tx, ids.comparisonId)) !== null;
    await endSecretLinks(tx, ids.comparisonId);
    if (isShared) await recordChange(tx, ctx, "comparison.unshared", audited(comparison));
    return { expiresAt: null };
  });
}

/** Returns the comparison of a valid link, and when it expires; null for others. */
export async function comparisonOfLink(
  db: Queryable,
  token: string,
): Promise<{ comparison: SavedComparison; expiresAt: string } | null> {
  const [row] = await db
    .select({
      projectId: comparisons.projectId,
      comparisonId: comparisons.id,
      expiresAt: verification.expiresAt,
    })
    .from(verification)
    .innerJoin(comparisons, eq(comparisons.id, sql`${verification.value}::uuid`))
    .innerJoin(projects, and(eq(projects.id, comparisons.projectId), isNull(projects.deletedAt)))
    .where(isSecretLink("comparison", token));
  if (row === undefined) return null;
  const { expiresAt, ...ids } = row;
  return { comparison: await findComparison(db, ids), expiresAt: expiresAt.toISOString() };
}

async function lockComparison(tx: Transaction, ids: Ids): Promise<SavedComparison> {
  await lockProject(tx, ids.projectId);
  return findComparison(tx, ids);
}

async function expiryOf(db: Queryable, comparisonId: string): Promise<string | null> {
  const [link] = await db
    .select({ expiresAt: verification.expiresAt })
    .from(verification)
    .where(and(eq(verification.value, comparisonId), gt(verification.expiresAt, sql`now()`)));
  return link?.expiresAt.toISOString() ?? null;
}

const audited = ({ projectId, id, name }: SavedComparison) => ({ projectId, entityId: id, label: name });
