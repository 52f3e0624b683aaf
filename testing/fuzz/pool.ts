import type { RouteAnswer } from "#testing/call-route";

const kinds = ["project", "checkpoint", "scenario", "model", "job", "key", "user", "upload"] as const;
export type Kind = (typeof kinds)[number];

type Thing = { kind: Kind; id: string; projectId: string | null };

/** What the last part of a path's name makes of the `id`s in its answers. */
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

/** What answers told of, for later requests to name. */
export class Pool {
  readonly #things: Thing[] = [];
  readonly #spared: ReadonlySet<string>;
  readonly cursors: string[] = [];
  readonly etags: string[] = [];

  /** @param spared ids that it never takes up */
  constructor(spared: Iterable<string>) {
    this.#spared = new Set(spared);
  }

  add(kind: Kind, id: string, projectId: string | null): void {
    if (this.#spared.has(id) || this.#things.some((thing) => thing.id === id)) return;
    this.#things.push({ kind, id, projectId });
  }

  /**
   * @param at 0 for the newest, 1 for the one before, and so on, from the start again
   * @returns null where there is none
   */
  pick(kind: Kind, at: number, fits: (projectId: string | null) => boolean): string | null {
    const fitting = this.#things.filter((thing) => thing.kind === kind && fits(thing.projectId));
    return newest(fitting, at)?.id ?? null;
  }

  /** @param projectId of the call's path */
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
