import type { QueryClient, QueryKey } from "@tanstack/react-query";
import { keys } from "#components/api/client.ts";
import type { EventName, EventPayload } from "#lib/contract/realtime";

/**
 * Returns the query keys that an event invalidates. Events carry IDs, not data; the API returns the changes. A running
 * job's update changes only its own record. Other events may change anything in the project, and some change the list
 * of projects.
 */
export function staleKeys(name: EventName, { projectId, status }: EventPayload): QueryKey[] {
  if (name === "job-updated" && status === "Running") return [keys.jobs(projectId)];
  const isListed = name === "project-updated" || name === "dataset-changed" || name === "default-changed";
  return isListed ? [keys.project(projectId), keys.projects()] : [keys.project(projectId)];
}

/**
 * Refetches the data of a key. Waits for further pages that readers have requested, because a refetch would cancel these
 * requests and read only the former pages.
 */
export async function refetch(client: QueryClient, queryKey: QueryKey): Promise<void> {
  const fetching = client.getQueryCache().findAll({ queryKey, fetchStatus: "fetching" });
  const pages = fetching.filter(({ state }) => state.fetchMeta?.fetchMore !== undefined);
  await Promise.allSettled(pages.map(({ promise }) => promise));
  await client.invalidateQueries({ queryKey });
}

/**
 * Refetches stale data, one read at a time. Events that arrive during a read cause one further read after it. Thus
 * events in quick succession neither cancel reads nor cause one read each.
 *
 * @param read resolves when the data of the key has been fetched
 */
export function rereading(read: (key: QueryKey) => Promise<void>): (key: QueryKey) => Promise<void> {
  let stale = new Map<string, QueryKey>();
  let reading: Promise<void> | null = null;
  const readAll = async () => {
    while (stale.size > 0) {
      const batch = stale;
      stale = new Map();
      await Promise.all(Array.from(batch.values(), read));
    }
  };
  return (key) => {
    stale.set(JSON.stringify(key), key);
    reading ??= readAll().finally(() => {
      reading = null;
    });
    return reading;
  };
}
