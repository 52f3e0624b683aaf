import { asc, desc, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { limits } from "#lib/contract/limits";

/**
 * Position of a row in a list sorted by time, then id. It holds the row's values, so that the list continues even if
 * the row is deleted. The time is PostgreSQL's text, because a Date would lose its microseconds.
 */
export type Position = { at: string; id: string };

/** Part of a list. `next` is the position of its last row if more rows follow. */
export type Page<T> = { items: T[]; next: Position | null };

/** Requested page: 50 rows by default, from the start or after a position. */
export type PageRequest = { limit?: number | undefined; after?: Position | undefined };

/** Paging of a list sorted by time, then id: the terms of the query, and the page built from its rows. */
export class Paging {
  /** Columns to select with each row. */
  readonly position: { at: SQL<string>; id: PgColumn };
  readonly where: SQL | undefined;
  readonly orderBy: SQL[];
  /** One row more than the page, to detect further rows. */
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
