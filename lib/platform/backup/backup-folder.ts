import { readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { StartError } from "#lib/platform/errors/start-errors";

const version = 1;

const contents = z.object({
  version: z.literal(version),
  createdAt: z.iso.datetime(),
  migration: z.string(),
  tables: z.array(
    z.object({
      name: z.string(),
      columns: z.array(z.string()),
      bytes: z.number().int(),
      sha256: z.string(),
    }),
  ),
});

/** Content of `backup.json`, written last. A folder without this file is not a backup. */
export type BackupContents = z.infer<typeof contents>;

export const contentsFile = (folder: string) => path.join(folder, "backup.json");
export const tableFile = (folder: string, table: string) => path.join(folder, "tables", `${table}.copy`);
export const artifactsFolder = (folder: string) => path.resolve(folder, "artifacts");

/** @throws {StartError} if the folder is not a backup, or has another format */
export async function readContents(folder: string): Promise<BackupContents> {
  const text = await readFile(contentsFile(folder), "utf8").catch((error: unknown) => {
    throw new StartError(`${folder} has no backup.json: it is not a backup, or the backup was interrupted.`, {
      cause: error,
    });
  });
  try {
    return contents.parse(JSON.parse(text));
  } catch (cause) {
    throw new StartError(`${contentsFile(folder)} does not have the format of this version.`, { cause });
  }
}
