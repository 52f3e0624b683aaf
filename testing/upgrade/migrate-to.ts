import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate } from "drizzle-orm/postgres-js/migrator";
import type { Sql } from "postgres";
import journal from "../../db/migrations/meta/_journal.json" with { type: "json" };

const migrations = path.resolve(import.meta.dirname, "../../db/migrations");
const hashOf = (tag: string) =>
  createHash("sha256")
    .update(readFileSync(fileOf(migrations, tag)))
    .digest("hex");
const fileOf = (folder: string, tag: string) => path.join(folder, `${tag}.sql`);

/**
 * Applies the migrations of an earlier version to an empty database.
 *
 * @param latest hash of the version's latest migration
 * @param folder new folder for these migrations
 * @throws if the migration is no longer part of this version, or was changed
 */
export async function migrateTo(sql: Sql, latest: string, folder: string): Promise<void> {
  const last = journal.entries.findIndex(({ tag }) => hashOf(tag) === latest);
  if (last < 0)
    throw new Error(`No migration has the hash ${latest}: a released migration was changed or removed.`);
  const entries = journal.entries.slice(0, last + 1);
  mkdirSync(path.join(folder, "meta"), { recursive: true });
  writeFileSync(path.join(folder, "meta/_journal.json"), JSON.stringify({ ...journal, entries }));
  for (const { tag } of entries) copyFileSync(fileOf(migrations, tag), fileOf(folder, tag));
  await migrate(drizzle({ client: sql }), { migrationsFolder: folder });
}
