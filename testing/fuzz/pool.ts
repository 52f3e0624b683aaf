import type { RouteAnswer } from "#testing/call-route";

const kinds = ["project", "checkpoint", "scenario", "model", "job", "key", "user", "upload"] as const;
export type Kind = (typeof kinds)[number];

type Thing = { kind: Kind; id: string; projectId: string | null };

/** Kind of the field `id` in answers, by the last known part of the path. */
const kindOfPath: Record<string, Kind> = {
  projects: "project",
  checkpoints: "checkpoint",
  scenarios: "scenario",
  models: "model",
  jobs: "job",
  "api-keys": "key",
  members: "user",
};
const kindOfField = new Map<string, Kind>(kinds.map((kind) => [`${kind}Id`, kind]));

/** Ids, cursors and ETags from earlier answers, for later requests. */
export class Pool {
  readonly #things: Thing[] = [];
  readonly #excluded: ReadonlySet<string>;
  readonly cursors: string[] = [];
  readonly etags: string[] = [];

  /** @param excluded ids that the pool never adds */
  constructor(excluded: Iterable<string>) {
    this.#excluded = new Set(excluded);
  }

  add(kind: Kind, id: string, projectId: string | null): void {
    if (this.#excluded.has(id) || this.#things.some((thing) => thing.id === id)) return;
    this.#things.push({ kind, id, projectId });
  }

  /**
   * Returns the id of a matching item, or null if no item matches.
   *
   * @param at position from the newest (0); positions past the oldest start again at the newest
   */
  pick(kind: Kind, at: number, fits: (projectId: string | null) => boolean): string | null {
    const fitting = this.#things.filter((thing) => thing.kind === kind && fits(thing.projectId));
    return newest(fitting, at)?.id ?? null;
  }

  /**
   * Adds the ids, the cursor and the ETag of an answer.
   *
   * @param projectId project in the request's path; null without one
   */
  learn(path: string, projectId: string | null, { status, headers, data }: RouteAnswer): void {
    const etag = headers.get("etag");
    if (etag !== null) this.etags.push(etag);
    const cursor = /[?&]cursor=([^&>]+)/.exec(headers.get("link") ?? "")?.[1];
    if (cursor !== undefined) this.cursors.push(decodeURIComponent(cursor));
    if (status >= 300) return;
    const named = path.split("/").findLast((part) => kindOfPath[part] !== undefined);
    this.#learnFrom(data, named === undefined ? undefined : kindOfPath[named], projectId);
  }

  #learnFrom(value: unknown, kind: Kind | undefined, projectId: string | null): void {
    if (Array.isArray(value)) for (const item of value.slice(0, 5)) this.#learnFrom(item, kind, projectId);
    if (value === null || typeof value !== "object" || Array.isArray(value)) return;
    for (const [name, inner] of Object.entries(value)) {
      const known = name === "id" ? kind : kindOfField.get(name);
      if (known !== undefined && typeof inner === "string") this.add(known, inner, projectId);
      else this.#learnFrom(inner, undefined, projectId);
    }
  }
}

export function newest<T>(items: readonly T[], at: number): T | undefined {
  return items.length === 0 ? undefined : items[items.length - 1 - (at % items.length)];
}
