import type { GeneratedInputs } from "#lib/contract/generated-inputs";
import type { Context } from "#lib/platform/context/context";
import { findReadyScenario, type ScenarioRef } from "./find-scenario.ts";
import { readGeneratedInputs } from "./run/scenario-input.ts";

/**
 * Returns how a scenario's inputs were generated. Empty for inputs that were sent.
 *
 * @throws {DomainError} scenario_not_found, run_not_found, scenario_not_ready
 */
export async function getGeneratedInputs(ctx: Context, ids: ScenarioRef): Promise<GeneratedInputs> {
  const { scenario } = await findReadyScenario(ctx, ids);
  return { features: await readGeneratedInputs(scenario.inputKey!) };
}
