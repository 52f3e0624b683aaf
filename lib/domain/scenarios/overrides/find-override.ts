import { and, eq, isNull, type SQL } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { type PageRequest, Paging } from "#db/page";
import { scenarioOverrides } from "#db/schema/scenarios";
import type { ScenarioOverride } from "#lib/contract/overrides";
import { findScenario, type ScenarioRef } from "#lib/domain/scenarios/find-scenario";
import { standardError } from "#lib/platform/errors/standard-error";

/** An override as the address of a request names it. */
export type OverrideRef = ScenarioRef & { overrideId: string };

/** Pages in the order in which overrides apply. */
export const overridePaging = (request: PageRequest) =>
  new Paging([scenarioOverrides.createdAt, scenarioOverrides.id], request, { direction: "asc" });

/** Selects active overrides of a scenario. */
export async function selectActive(
  db: Queryable,
  { projectId, scenarioId }: ScenarioRef,
  paging: Paging,
  where?: SQL,
) {
  return db
    .select({ override: scenarioOverrides, position: paging.position })
    .from(scenarioOverrides)
    .where(
      and(
        eq(scenarioOverrides.projectId, projectId),
        eq(scenarioOverrides.scenarioId, scenarioId),
        isNull(scenarioOverrides.endedAt),
        where,
        paging.where,
      ),
    )
    .orderBy(...paging.orderBy)
    .limit(paging.limit);
}

/** @throws {DomainError} scenario_not_found; override_not_found for an unknown or ended override, or one of another scenario */
export async function findOverride(db: Queryable, ids: OverrideRef): Promise<ScenarioOverride> {
  await findScenario(db, ids);
  const [row] = await selectActive(
    db,
    ids,
    overridePaging({ limit: 1 }),
    eq(scenarioOverrides.id, ids.overrideId),
  );
  if (row === undefined) throw standardError("override_not_found");
  return presentOverride(row.override);
}

/** Returns the scenario of an override beside its ID. @throws {DomainError} override_not_found */
export async function locateOverride(
  db: Queryable,
  { projectId, overrideId }: Omit<OverrideRef, "scenarioId">,
): Promise<OverrideRef> {
  const [row] = await db
    .select({ scenarioId: scenarioOverrides.scenarioId })
    .from(scenarioOverrides)
    .where(and(eq(scenarioOverrides.projectId, projectId), eq(scenarioOverrides.id, overrideId)));
  if (row === undefined) throw standardError("override_not_found");
  return { projectId, scenarioId: row.scenarioId, overrideId };
}

export function presentOverride({
  slot: _,
  knownUntil: __,
  endedAt: ___,
  endedBy: ____,
  endedKnownUntil: _____,
  from,
  to,
  createdAt,
  ...fields
}: typeof scenarioOverrides.$inferSelect): ScenarioOverride {
  return {
    ...fields,
    from: from.toISOString(),
    to: to.toISOString(),
    createdAt: createdAt.toISOString(),
  };
}
