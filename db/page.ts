import { asc, desc, type SQL, sql } from "drizzle-orm";
import type { PgColumn } from "drizzle-orm/pg-core";
import { limits } from "#lib/contract/limits";

/**
 * Position of a row in a list sorted by a value, usually its time, then id. It holds the row's values, so that the list
 * continues even if the row is deleted. The value is PostgreSQL's text, because a Date would lose its microseconds.
 */
export type Position = { at: string; id: string };

/** Part of a list. `next` is the position of its last row if more rows follow. */
export type Page<T> = { items: T[]; next: Position | null };

/** Requested page: 50 rows by default, from the start or after a position. */
export type PageRequest = { limit?: number | undefined; after?: Position | undefined };

/** Order of a list. `type`: type of the value that the list is sorted by; the value is never null. */
export type ListOrder = { direction?: "asc" | "desc"; type?: "timestamptz" | "text" | "float8" };

/** Paging of a list sorted by a value, then id: the terms of the query, and the page built from its rows. */
export class Paging {
  /** Columns to select with each row. */
  readonly position: { at: SQL<string>; id: PgColumn };
  readonly where: SQL | undefined;
  readonly orderBy: SQL[];
  /** One row more than the page, to detect further rows. */
  readonly limit: number;

  constructor(
    [at, id]: [at: PgColumn | SQL, id: PgColumn],
    { limit = limits.listDefault, after }: PageRequest,
    { direction = "desc", type = "timestamptz" }: ListOrder = {},
  ) {
    const [sorted, comparison] = direction === "desc" ? [desc, sql.raw("<")] : [asc, sql.raw(">")];
    this.position = { at: sql<string>`${at}::text`, id };
    this.where = after && sql`(${at}, ${id}) ${comparison} (${after.at}::${sql.raw(type)}, ${after.id})`;
    this.orderBy = [sorted(at), sorted(id)];
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
