import type { Context } from "#lib/context/context";
import type { GeneratedInputs } from "#lib/contract/generated-inputs";
import { findReadyScenario } from "#lib/scenarios/scenario-predictions";
import { readGeneratedInputs } from "./run/scenario-input.ts";

/**
 * How a scenario's inputs were generated: nothing for one that brought them, or that was made before this was kept.
 *
 * @throws {DomainError} scenario_not_found, scenario_not_ready
 */
export async function getGeneratedInputs(
  ctx: Context,
  ids: { projectId: string; scenarioId: string },
): Promise<GeneratedInputs> {
  const { scenario } = await findReadyScenario(ctx, ids);
  return { features: await readGeneratedInputs(scenario.inputKey!) };
}
