import type { Scenario } from "#lib/contract/scenarios";
import type { Context } from "#lib/platform/context/context";
import { findScenario, type ScenarioRef } from "./find-scenario.ts";
import { presentScenario } from "./present.ts";

/** @throws {DomainError} scenario_not_found */
export async function getScenario(ctx: Context, ids: ScenarioRef): Promise<Scenario> {
  return presentScenario(await findScenario(ctx.db, ids));
}
