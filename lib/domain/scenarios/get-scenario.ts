import type { Queryable } from "#db/client";
import type { Scenario } from "#lib/contract/scenarios";
import { findScenario, type ScenarioRef } from "./find-scenario.ts";
import { knownUntilOf } from "./known-until.ts";
import { storedSummary } from "./panel/effective-series.ts";
import { summarizeEffective } from "./panel/summarize-effective.ts";
import { presentScenario } from "./present.ts";

/** @throws {DomainError} scenario_not_found, run_not_found */
export async function getScenario({ db }: { db: Queryable }, ids: ScenarioRef): Promise<Scenario> {
  const found = await findScenario(db, ids);
  const { source } = found.scenario;
  const scenario = { ...found.scenario, knownUntil: await knownUntilOf(source, found.scenario) };
  const row = { ...found, scenario };
  const { summary } = scenario;
  if (summary === null || storedSummary(scenario) !== null) return presentScenario(row);
  const effective = await summarizeEffective(db, scenario, summary);
  return presentScenario({
    ...row,
    scenario: { ...scenario, summary: effective, calculatedSummary: summary },
  });
}
