import type { Sql } from "postgres";
import type { Sent } from "./send.ts";

const uuid = /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/g;

/**
 * Checks that keys see no ids of unrelated projects. Projects that have ever depended on each other are related: audit
 * logs and pinned checkpoints may show each other's ids.
 */
export class Tenancy {
  readonly #sql: Sql;
  readonly #groups = new Map<string, Set<string>>();

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  link(one: string, other: string): void {
    const group = new Set([...this.#groupOf(one), ...this.#groupOf(other)]);
    for (const projectId of group) this.#groups.set(projectId, group);
  }

  /**
   * Records new dependencies, then checks all answers to keys.
   *
   * @throws {Error} if an answer contains an id of an unrelated project that the request did not contain
   */
  async check(all: readonly Sent[]): Promise<void> {
    for (const { operationId, projectId, body, answer } of all) {
      if (operationId === "setDependencies" && answer.status < 300) this.#linkDependencies(projectId!, body);
    }
    for (const { caller, text, body, answer } of all) {
      if (caller.projectId === null) continue;
      const received = new Set(answer.text.match(uuid) ?? []);
      // The command in `text` cuts long bodies.
      const sent = `${text} ${JSON.stringify(body)}`.toLowerCase();
      const unsent = [...received].filter((id) => !sent.includes(id));
      const foreign = (await this.#ownersOf(unsent)).filter(
        ({ owner }) => !this.#groupOf(caller.projectId!).has(owner),
      );
      if (foreign.length === 0) continue;
      throw new Error(
        `A key received ids of another project: ${JSON.stringify(foreign)}\n${text}\n\n${answer.text}`,
      );
    }
  }

  #linkDependencies(projectId: string, body: unknown): void {
    const { dependencies } = body as { dependencies: { projectId: string }[] };
    for (const one of dependencies) this.link(projectId, one.projectId.toLowerCase());
  }

  #groupOf(projectId: string): Set<string> {
    return this.#groups.get(projectId) ?? new Set([projectId]);
  }

  async #ownersOf(ids: string[]): Promise<{ id: string; owner: string }[]> {
    if (ids.length === 0) return [];
    return this.#sql`
      select id, project_id as owner from (
        select id, project_id from checkpoints union all select id, project_id from scenario_runs
        union all select id, project_id from scenarios where id not in (select id from scenario_runs)
        union all select id, project_id from models union all select id, project_id from jobs
        union all select id, project_id from datasets union all select id, project_id from uploads
        union all select id, project_id from api_keys union all select id, id from projects) things
      where id = any(${ids}::uuid[])`;
  }
}
