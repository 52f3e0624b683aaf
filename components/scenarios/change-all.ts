import { toast } from "sonner";
import { api } from "#components/api/client.ts";
import { changeResource } from "#components/edit/change-resource.ts";
import type { Scenario, UpdateScenario } from "#lib/contract/scenarios";

/**
 * Changes scenarios one after another, because each request takes the project's lock, and reports those that the service
 * did not change.
 *
 * @param change returns the change of the stored version, which may be newer than the listed one; null for none
 * @returns the changed scenarios, as they were before
 */
export async function changeAll(
  scenarios: readonly Scenario[],
  change: (stored: Scenario) => UpdateScenario | null,
): Promise<Scenario[]> {
  const before: Scenario[] = [];
  for (const { projectId, id, title } of scenarios) {
    const path = `/projects/${projectId}/scenarios/${id}` as const;
    try {
      await changeResource(path, async (stored, etag) => {
        const body = change(stored);
        if (body === null) return;
        await api.patch(path, body, etag);
        before.push(stored);
      });
    } catch (error) {
      toast.error(`“${title}” was not changed.`, { description: (error as Error).message });
    }
  }
  return before;
}

/**
 * Returns the change of a scenario's tags. Tags that all selected scenarios share were shown, so a shown tag that is
 * missing now is removed, and each other one is added. Tags of single scenarios stay.
 */
export function changeTags(
  { tags }: Pick<Scenario, "tags">,
  { shown, chosen }: { shown: readonly string[]; chosen: readonly string[] },
): { tags: string[] } | null {
  const kept = tags.filter((tag) => !shown.includes(tag) || chosen.includes(tag));
  const added = chosen.filter((tag) => !shown.includes(tag) && !tags.includes(tag));
  return kept.length === tags.length && added.length === 0 ? null : { tags: [...kept, ...added] };
}

/** Returns the tags that all scenarios have. */
export const commonTags = ([first, ...others]: readonly Pick<Scenario, "tags">[]): string[] =>
  first?.tags.filter((tag) => others.every(({ tags }) => tags.includes(tag))) ?? [];
