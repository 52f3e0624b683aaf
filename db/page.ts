import { asc, desc, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { limits } from "#lib/contract/limits";

/**
 * The place of a row in a list that is sorted by a time, then by id. It holds its own row's values, so that the list goes
 * on also where that row is gone; the time is PostgreSQL's text, since a Date would cut off its microseconds.
 */
export type Position = { at: string; id: string };

/** Part of a list; `next` is the place of its last row where there are more. */
export type Page<T> = { items: T[]; next: Position | null };

/** 50 rows unless told otherwise, from the start or after a place. */
export type PageRequest = { limit?: number | undefined; after?: Position | undefined };

/** A list sorted by time, then id: what to ask the database for, and the page made of what it gave. */
export class Paging {
  /** To be selected with each row. */
  readonly position: { at: SQL<string>; id: PgColumn };
  readonly where: SQL | undefined;
  readonly orderBy: SQL[];
  /** One more than fits, to know whether there are more. */
  readonly limit: number;

  constructor(
    [at, id]: [at: PgColumn, id: PgColumn],
    { limit = limits.listDefault, after }: PageRequest,
    order: "newest first" | "oldest first" = "newest first",
  ) {
    const [direction, beyond] = order === "newest first" ? [desc, sql.raw("<")] : [asc, sql.raw(">")];
    this.position = { at: sql<string>`${at}::text`, id };
    this.where = after && sql`(${at}, ${id}) ${beyond} (${after.at}::timestamptz, ${after.id})`;
    this.orderBy = [direction(at), direction(id)];
    this.limit = limit + 1;
  }

  page<R extends { position: { at: string; id: unknown } }, T>(
    rows: readonly R[],
    present: (row: R) => T,
  ): Page<T> {
    const kept = rows.slice(0, this.limit - 1);
    const last = kept.at(-1)?.position;
    const next = rows.length > kept.length && last ? { at: last.at, id: String(last.id) } : null;
    return { items: kept.map(present), next };
  }
}
