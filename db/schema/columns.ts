import { type SQL, sql } from "drizzle-orm";
import { type AnyPgColumn, customType, timestamp, uuid } from "drizzle-orm/pg-core";

export const instant = (name: string) => timestamp(name, { withTimezone: true });
export const createdAt = () => instant("created_at").notNull().defaultNow();
export const updatedAt = () => instant("updated_at").notNull().defaultNow();
/** Version 7: ids of later rows sort later, which keeps indexes dense. */
export const id = () => uuid("id").primaryKey();

/** Requires no ASCII whitespace at either end, independent of the database's locale. */
export const isTrimmed = (column: AnyPgColumn): SQL => sql`${column} = btrim(${column}, E' \\t\\n\\v\\f\\r')`;

export const bytea = customType<{ data: Uint8Array; driverData: Uint8Array }>({
  dataType: () => "bytea",
});
