import type { Page, PageRequest } from "#db/page";
import type { SavedComparison } from "#lib/contract/saved-comparisons";
import type { Context } from "#lib/platform/context/context";
import { comparisonPaging, presentComparison, selectComparisons } from "./find-comparison.ts";

/** Lists a project's saved comparisons, newest first. */
export async function listComparisons(
  { db }: Pick<Context, "db">,
  { projectId, ...request }: PageRequest & { projectId: string },
): Promise<Page<SavedComparison>> {
  const paging = comparisonPaging(request);
  return paging.page(await selectComparisons(db, { projectId, paging }), presentComparison);
}
