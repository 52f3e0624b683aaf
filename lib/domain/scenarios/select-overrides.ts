import { and, asc, gt, inArray, isNull, lte, or } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { scenarioOverrides } from "#db/schema/scenarios";

/** An override as reads apply it. Times are epoch milliseconds. */
export type StoredOverride = Pick<
  typeof scenarioOverrides.$inferSelect,
  "id" | "operation" | "value" | "where"
> & { from: number; to: number };

/**
 * Selects the overrides of scenarios in the order in which they apply.
 *
 * @param asOf instant at which they were active; by default now
 */
export async function selectOverrides(
  db: Queryable,
  scenarioIds: readonly string[],
  asOf?: Date,
): Promise<Map<string, StoredOverride[]>> {
  if (scenarioIds.length === 0) return new Map();
  const { scenarioId, id, from, to, operation, value, where, createdAt, endedAt } = scenarioOverrides;
  const isActive = asOf ? and(lte(createdAt, asOf), or(isNull(endedAt), gt(endedAt, asOf))) : isNull(endedAt);
  const rows = await db
    .select({ scenarioId, id, from, to, operation, value, where })
    .from(scenarioOverrides)
    .where(and(inArray(scenarioId, [...scenarioIds]), isActive))
    .orderBy(asc(createdAt), asc(id));
  const byScenario = new Map<string, StoredOverride[]>();
  for (const { scenarioId: of, from: first, to: last, ...row } of rows)
    byScenario.set(of, [
      ...(byScenario.get(of) ?? []),
      { ...row, from: first.getTime(), to: last.getTime() },
    ]);
  return byScenario;
}
