import { createReadStream } from "node:fs";
import type { Sql, TransactionSql } from "postgres";
import { sendCopy } from "#db/pool/send-copy";
import { storeLock } from "#lib/platform/artifacts/collect-garbage";
import { StartError } from "#lib/platform/errors/start-errors";
import type { ArtifactStore } from "#lib/platform/storage/artifact-store";
import { copyStore } from "#lib/platform/storage/copy-store";
import { LocalStore } from "#lib/platform/storage/local-store";
import { measured } from "#lib/platform/storage/measure";
import { artifactsFolder, type BackupContents, readContents, tableFile } from "./backup-folder.ts";
import { latestMigration, ownedArtifacts, readTables } from "./tables.ts";

/**
 * Restores a backup into an empty service: migrated, without users and projects. Verifies the SHA-256 of every file
 * first. Writes the artifacts before the rows, and all rows in one transaction, so a failure leaves an empty service.
 *
 * @throws {StartError} if the backup is invalid or the service is not empty
 */
export async function restore(
  sql: Sql,
  store: ArtifactStore,
  folder: string,
  say: (text: string) => void = () => {},
): Promise<void> {
  const contents = await readContents(folder);
  await requireFit(sql, contents);
  await requireEmpty(sql);
  for (const table of contents.tables) await requireUnchanged(folder, table);
  const artifacts = new LocalStore(artifactsFolder(folder));
  await sql.begin(async (tx) => {
    // The artifacts are orphans until the rows exist. The lock keeps workers from collecting them.
    await tx`select pg_advisory_xact_lock(${storeLock})`;
    await tx`set local idle_in_transaction_session_timeout = 0`;
    await copyStore(artifacts, store, (done, total) => say(`${done} of ${total} artifacts`));
    const names = contents.tables.map(({ name }) => name);
    await tx`lock table ${tx(names)} in access exclusive mode`;
    await requireEmpty(tx);
    const foreignKeys = await dropForeignKeys(tx);
    // An empty service may have rows of rejected calls and deleted projects, whose keys may be those of restored rows.
    await tx`truncate ${tx(names)}`;
    for (const table of contents.tables) {
      await load(tx, folder, table);
      say(`table ${table.name}`);
    }
    // PostgreSQL checks each restored constraint over all rows.
    for (const { table, name, definition } of foreignKeys) {
      await tx`alter table ${tx(table)} add constraint ${tx(name)} ${tx.unsafe(definition)}`;
    }
    await continueSequences(tx);
    const present = new Set(await artifacts.listFolders(""));
    const missing = (await ownedArtifacts(tx)).find((key) => !present.has(key));
    if (missing !== undefined) throw new StartError(`The backup lacks the artifact ${missing}.`);
  });
}

async function requireFit(sql: Sql, { migration, tables }: BackupContents): Promise<void> {
  if ((await latestMigration(sql)) !== migration) {
    throw new StartError(
      "The backup was made by a version with another schema, so this version cannot restore it. Restore it with the version that made it.",
    );
  }
  const shape = (list: readonly { name: string; columns: string[] }[]) =>
    JSON.stringify(list.map(({ name, columns }) => [name, columns]));
  if (shape(await readTables(sql)) !== shape(tables)) {
    throw new StartError("The tables of the backup differ from those of this version.");
  }
}

async function requireEmpty(tx: Sql | TransactionSql): Promise<void> {
  const [row] = await tx<{ used: boolean }[]>`
    select exists (select from projects) or exists (select from "user") as used`;
  if (row!.used) {
    throw new StartError(
      "The service has users or projects already. Restore into an empty one: a new DATA_DIR or database, DEMO=0, no ADMIN_EMAIL.",
    );
  }
}

async function requireUnchanged(folder: string, table: BackupContents["tables"][number]): Promise<void> {
  const { bytes, sha256 } = await measured(createReadStream(tableFile(folder, table.name)));
  if (bytes !== table.bytes || sha256 !== table.sha256) {
    throw new StartError(`The table ${table.name} of the backup is damaged: its SHA-256 differs.`);
  }
}

type ForeignKey = { table: string; name: string; definition: string };

/**
 * Drops the foreign keys, so that tables load in any order. The owner of the tables may do so; no superuser is needed.
 */
async function dropForeignKeys(tx: TransactionSql): Promise<ForeignKey[]> {
  const keys = await tx<ForeignKey[]>`
    select conrelid::regclass::text as "table", conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`;
  const plain = keys.map((key) => ({ ...key, table: key.table.replaceAll('"', "") }));
  for (const { table, name } of plain) await tx`alter table ${tx(table)} drop constraint ${tx(name)}`;
  return plain;
}

/**
 * Loads a table without its triggers. Rules for changes (legal transitions, fixed snapshots) do not apply to restored
 * rows.
 */
async function load(
  tx: TransactionSql,
  folder: string,
  { name, columns }: BackupContents["tables"][number],
): Promise<void> {
  await tx`alter table ${tx(name)} disable trigger user`;
  await sendCopy(tx`copy ${tx(name)} (${tx(columns)}) from stdin`, createReadStream(tableFile(folder, name)));
  await tx`alter table ${tx(name)} enable trigger user`;
}

async function continueSequences(tx: TransactionSql): Promise<void> {
  const columns = await tx<{ table: string; column: string; sequence: string }[]>`
    select table_name as "table", column_name as "column",
      pg_get_serial_sequence(quote_ident(table_name), column_name) as sequence
    from information_schema.columns
    where table_schema = 'public' and pg_get_serial_sequence(quote_ident(table_name), column_name) is not null`;
  for (const { table, column, sequence } of columns) {
    await tx`select setval(${sequence}, coalesce(max(${tx(column)}), 0) + 1, false) from ${tx(table)}`;
  }
}
