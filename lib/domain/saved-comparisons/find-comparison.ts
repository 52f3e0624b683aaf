import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { type PageRequest, Paging } from "#db/page";
import { comparisonScenarios, comparisons } from "#db/schema/comparisons";
import type { SavedComparison } from "#lib/contract/saved-comparisons";
import { standardError } from "#lib/platform/errors/standard-error";

export const comparisonPaging = (request: PageRequest) =>
  new Paging([comparisons.createdAt, comparisons.id], request);

type ComparisonRow = Awaited<ReturnType<typeof selectComparisons>>[number];

/** Selects the comparisons of a project that meet a condition, each with its scenarios in order. */
export async function selectComparisons(
  db: Queryable,
  { projectId, where, paging }: { projectId: string; where?: SQL | undefined; paging: Paging },
) {
  const scenarioIds = sql<string[]>`to_json(array(
    select ${comparisonScenarios.scenarioId} from ${comparisonScenarios}
    where ${comparisonScenarios.comparisonId} = ${comparisons.id} order by ${comparisonScenarios.position}))`;
  return db
    .select({ comparison: comparisons, scenarioIds, position: paging.position })
    .from(comparisons)
    .where(and(eq(comparisons.projectId, projectId), where, paging.where))
    .orderBy(...paging.orderBy)
    .limit(paging.limit);
}

/** @throws {DomainError} comparison_not_found for an unknown comparison, or one of another project */
export async function findComparison(
  db: Queryable,
  { projectId, comparisonId }: { projectId: string; comparisonId: string },
): Promise<SavedComparison> {
  const [row] = await selectComparisons(db, {
    projectId,
    where: eq(comparisons.id, comparisonId),
    paging: comparisonPaging({ limit: 1 }),
  });
  if (row === undefined) throw standardError("comparison_not_found");
  return presentComparison(row);
}

export function presentComparison({ comparison, scenarioIds }: ComparisonRow): SavedComparison {
  const { id, projectId, name, decision, createdAt, createdBy } = comparison;
  return { id, projectId, name, scenarioIds, decision, createdAt: createdAt.toISOString(), createdBy };
}
