import type { Page, PageRequest } from "#db/page";
import type { ScenarioOverride } from "#lib/contract/overrides";
import { findScenario, type ScenarioRef } from "#lib/domain/scenarios/find-scenario";
import type { Context } from "#lib/platform/context/context";
import { overridePaging, presentOverride, selectActive } from "./find-override.ts";

/**
 * Lists the active overrides of a scenario in the order in which they apply.
 *
 * @throws {DomainError} scenario_not_found
 */
export async function listOverrides(
  { db }: Pick<Context, "db">,
  { projectId, scenarioId, ...request }: PageRequest & ScenarioRef,
): Promise<Page<ScenarioOverride>> {
  await findScenario(db, { projectId, scenarioId });
  const paging = overridePaging(request);
  return paging.page(await selectActive(db, { projectId, scenarioId }, paging), ({ override }) =>
    presentOverride(override),
  );
}
