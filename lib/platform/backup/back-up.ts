import { mkdir, readdir } from "node:fs/promises";
import path from "node:path";
import type { Sql, TransactionSql } from "postgres";
import { StartError } from "#lib/platform/errors/start-errors";
import type { ArtifactStore } from "#lib/platform/storage/artifact-store";
import { copyStore } from "#lib/platform/storage/copy-store";
import { syncFolder, writeDurably } from "#lib/platform/storage/durable-files";
import { LocalStore } from "#lib/platform/storage/local-store";
import { artifactsFolder, type BackupContents, contentsFile, tableFile } from "./backup-folder.ts";
import { latestMigration, ownedArtifacts, readTables } from "./tables.ts";

type BackupDone = { tables: number; artifacts: number; bytes: number };

/**
 * Writes database and artifacts to a new folder while the service runs. Reads the database in one snapshot, then copies
 * the artifacts. Fails if an artifact of the snapshot was deleted meanwhile; the caller may retry.
 *
 * @param folder does not exist, or is empty
 * @throws {StartError} with the action for the operator
 */
export async function backUp(
  sql: Sql,
  store: ArtifactStore,
  folder: string,
  say: (text: string) => void = () => {},
): Promise<BackupDone> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const there = await readdir(folder);
  if (there.length > 0) throw new StartError(`${folder} is not empty: name a folder that does not exist.`);
  await mkdir(path.join(folder, "tables"), { mode: 0o700 });
  const { owned, ...read } = await sql.begin("isolation level repeatable read read only", async (tx) => ({
    migration: await latestMigration(tx),
    owned: await ownedArtifacts(tx),
    tables: await writeTables(tx, folder, say),
  }));
  const copy = new LocalStore(artifactsFolder(folder));
  await copyStore(store, copy, (done, total) => say(`${done} of ${total} artifacts`));
  await requireAll(copy, owned);
  const contents: BackupContents = { version: 1, createdAt: new Date().toISOString(), ...read };
  const text = Buffer.from(`${JSON.stringify(contents, null, 2)}\n`);
  await writeDurably(contentsFile(folder), [text]);
  await syncFolder(folder);
  const bytes = read.tables.reduce((sum, table) => sum + table.bytes, 0);
  return { tables: read.tables.length, artifacts: owned.length, bytes };
}

async function writeTables(
  tx: TransactionSql,
  folder: string,
  say: (text: string) => void,
): Promise<BackupContents["tables"]> {
  const tables: BackupContents["tables"] = [];
  for (const { name, columns } of await readTables(tx)) {
    const rows = await tx`copy ${tx(name)} (${tx(columns)}) to stdout`.readable();
    try {
      const read = rows.iterator({ destroyOnReturn: false });
      tables.push({ name, columns, ...(await writeDurably(tableFile(folder, name), read)) });
    } finally {
      // Reads the rest after a failed write, because the transaction can end only after its COPY.
      for await (const _ of rows);
      // The driver pauses its connection when the buffer is full and resumes on a read. Nothing reads after the end.
      rows._read(0);
    }
    say(`table ${name}`);
  }
  return tables;
}

async function requireAll(copy: ArtifactStore, owned: readonly string[]): Promise<void> {
  const present = new Set(await copy.listFolders(""));
  const [missing] = owned.filter((key) => !present.has(key));
  if (missing === undefined) return;
  throw new StartError(
    `${missing} was deleted while the backup ran, or is missing in the store. Remove the folder and try again.`,
  );
}
