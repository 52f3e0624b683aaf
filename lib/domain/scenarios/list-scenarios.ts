import type { Page, PageRequest } from "#db/page";
import type { Scenario } from "#lib/contract/scenarios";
import type { Context } from "#lib/platform/context/context";
import { presentScenario } from "./present.ts";
import { scenarioPaging, selectScenarios } from "./queries.ts";

/** Lists a project's scenarios, newest first. */
export async function listScenarios(
  ctx: Context,
  { projectId, ...request }: PageRequest & { projectId: string },
): Promise<Page<Scenario>> {
  const paging = scenarioPaging(request);
  return paging.page(await selectScenarios(ctx.db, { projectId, paging }), presentScenario);
}
