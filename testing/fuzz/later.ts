import type { Pool } from "./pool.ts";

type KnownProject = { projectId: string };

/** Knowledge of the requests: three projects, and the ids of earlier answers. */
export type KnownWorld = { own: KnownProject; upstream: KnownProject; stranger: KnownProject; pool: Pool };

/** State at the time of a request: the world so far, and the project in the request's path. */
export type Moment = { world: KnownWorld; projectId: string };

/** Placeholder in a planned request for a value that exists only later, such as the id of a new checkpoint. */
export class Later {
  readonly find: (moment: Moment) => unknown;

  constructor(find: (moment: Moment) => unknown) {
    this.find = find;
  }
}

/** Returns a copy in which every `Later` is replaced by its value. */
export function settle(value: unknown, moment: Moment): unknown {
  if (value instanceof Later) return settle(value.find(moment), moment);
  if (value instanceof Uint8Array || value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((item) => settle(item, moment));
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, settle(inner, moment)]));
}
