import type { Context } from "#lib/context/context";
import { limits } from "#lib/contract/limits";
import type { Scenario } from "#lib/contract/scenarios";
import { presentScenario } from "./present.ts";
import { type ScenarioPosition, selectScenarios } from "./queries.ts";

/** A page of a project's scenarios, newest first; `next` is the position to go on from, null on the last page. */
export async function listScenarios(
  ctx: Context,
  {
    projectId,
    limit = limits.listDefault,
    after = null,
  }: { projectId: string; limit?: number | undefined; after?: ScenarioPosition | null },
): Promise<{ scenarios: Scenario[]; next: ScenarioPosition | null }> {
  const rows = await selectScenarios(ctx.db, { projectId, limit: limit + 1, after });
  const page = rows.slice(0, limit).map(presentScenario);
  const last = page.at(-1);
  const more = rows.length > limit && last !== undefined;
  return { scenarios: page, next: more ? { createdAt: last.createdAt, id: last.id } : null };
}
