// npm run -s storage:check [-- --delete]: compares all artifacts with the database and deletes orphans.
import { inArray } from "drizzle-orm";
import { orphanedArtifacts } from "#db/schema/artifacts";
import { checkStore } from "#lib/platform/artifacts/check-store";
import { deleteOrphans } from "#lib/platform/artifacts/delete-orphans";
import { discardArtifacts } from "#lib/platform/artifacts/discard-artifacts";
import { closeDatabase, database } from "#lib/platform/database/process-database";
import { requireSchema } from "#lib/platform/health/require-schema";
import { store } from "#lib/platform/storage/store";
import { reportAndExit } from "../server/report-and-exit.ts";
import { printProgress } from "./print-progress.ts";
import { readOptions } from "./read-options.ts";

try {
  const usage = "Usage: npm run -s storage:check [-- --delete]";
  const { delete: remove = false } = readOptions({ delete: { type: "boolean" } }, usage);
  const db = database();
  await requireSchema(db);
  const progress = printProgress();
  const { owned, orphans, missing, damaged } = await checkStore(db, store(), (done, total) =>
    progress(`${done} of ${total} folders`),
  );
  progress.end();
  for (const key of orphans) console.log(`orphan    ${key}`);
  for (const key of missing) console.log(`missing   ${key}`);
  for (const key of damaged) console.log(`damaged   ${key}`);
  console.log(
    `${owned} folders are owned by rows: ${missing.length} are missing, ${damaged.length} are damaged. ${orphans.length} are orphans.`,
  );
  if (remove && orphans.length > 0) {
    await discardArtifacts(db, orphans);
    await deleteOrphans(db);
    const count = await db.$count(orphanedArtifacts, inArray(orphanedArtifacts.key, orphans));
    console.log(
      count === 0
        ? "The orphans are deleted."
        : `${count} of ${orphans.length} orphans could not be deleted. The workers try again.`,
    );
    if (count > 0) process.exitCode = 1;
  }
  await closeDatabase();
  if (missing.length + damaged.length > 0) process.exitCode = 1;
} catch (error) {
  reportAndExit(error);
}
