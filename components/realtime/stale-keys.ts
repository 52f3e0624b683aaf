import type { Query, QueryClient, QueryKey } from "@tanstack/react-query";
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
 * Returns a function that reads the shown data of a key again. Each query has one read at a time. Events that arrive
 * during it cause one further read after it, so events in quick succession neither cancel reads nor cause one read each.
 * A read that takes long holds up no other query. For example, a page whose sensitivity takes a minute still shows the
 * end of a job at once.
 */
export function rereading(client: QueryClient): (key: QueryKey) => Promise<void> {
  /** Hashes of the queries that are being read, and whether their data changed again meanwhile. */
  const reading = new Map<string, boolean>();
  const readAgain = async (query: Query) => {
    const { queryHash, queryKey } = query;
    if (reading.has(queryHash)) {
      reading.set(queryHash, true);
      return;
    }
    try {
      do {
        reading.set(queryHash, false);
        // A refetch would cancel the request for a further page, and read only the former pages.
        if (query.state.fetchMeta?.fetchMore !== undefined) await query.promise?.catch(() => {});
        await client.refetchQueries({ queryKey, exact: true, type: "active" });
      } while (reading.get(queryHash));
    } finally {
      reading.delete(queryHash);
    }
  };
  return async (queryKey) => {
    await client.invalidateQueries({ queryKey, refetchType: "none" });
    await Promise.all(client.getQueryCache().findAll({ queryKey, type: "active" }).map(readAgain));
  };
}
