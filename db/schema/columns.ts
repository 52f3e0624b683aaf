import { customType, timestamp, uuid } from "drizzle-orm/pg-core";

export const instant = (name: string) => timestamp(name, { withTimezone: true });
export const createdAt = () => instant("created_at").notNull().defaultNow();
/** Version 7: ids of later rows sort later, which keeps indexes dense. */
export const id = () => uuid("id").primaryKey();

export const bytea = customType<{ data: Uint8Array; driverData: Uint8Array }>({
  dataType: () => "bytea",
});
