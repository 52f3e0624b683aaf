import type { World } from "./world.ts";

/** When a request is made: what exists by then, and the project of its path. */
export type Moment = { world: World; projectId: string };

/** A part of a request that only the moment knows, such as the id of a thing that an earlier request made. */
export class Later {
  readonly find: (moment: Moment) => unknown;

  constructor(find: (moment: Moment) => unknown) {
    this.find = find;
  }
}

/** A copy with everything found. */
export function settle(value: unknown, moment: Moment): unknown {
  if (value instanceof Later) return settle(value.find(moment), moment);
  if (value instanceof Uint8Array || value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((item) => settle(item, moment));
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, settle(inner, moment)]));
}
