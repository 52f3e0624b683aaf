import type { Sql } from "postgres";

/** First and last of the migrations that the initial migration replaced (docs/decisions/0181). */
const migrations = [
  {
    hash: "105bf33657b16393bd0cef46802a0f68fd9e8a846cbd8726cb8c6966a7a2da68",
    created_at: 1_795_251_052_959,
  },
  {
    hash: "bdca384455ef3dd53818b0121083b876a58aaa80d17b5296549231149ac1c1ac",
    created_at: 1_795_408_605_012,
  },
];

/** Replaces the recorded migrations of a database with migrations from before the first release. */
export async function recordUnreleasedMigrations(sql: Sql): Promise<void> {
  await sql`delete from drizzle.__drizzle_migrations`;
  await sql`insert into drizzle.__drizzle_migrations ${sql(migrations)}`;
}
