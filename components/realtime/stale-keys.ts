import type { QueryKey } from "@tanstack/react-query";
import { keys } from "#components/api/keys.ts";
import type { EventName, EventPayload } from "#lib/contract/realtime";

/**
 * What news makes stale. It carries ids, never data: what changed is read over the API. A job that goes on changes its
 * own record alone; whatever begins or ends may change anything in the project, as when the page polls.
 */
export function staleKey(name: EventName, { projectId, status }: EventPayload): QueryKey {
  return name === "job-updated" && status === "Running" ? keys.jobs(projectId) : keys.project(projectId);
}

/**
 * Reads again what is stale, one reading after the other: news that comes while one is under way is read afterwards,
 * however much it is. So events in quick succession neither end each other's readings nor make one each.
 *
 * @param read fulfilled when what the key stands for has been read
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
