// npm run -s storage:check [-- --delete]: holds all artifacts against the database; deletes those that no row owns.
import { parseArgs } from "node:util";
import { closeDatabase, database } from "#db/client";
import { removeLoose } from "#lib/artifacts/remove-loose";
import { StartError } from "#lib/config/start-error";
import { checkStore } from "#lib/platform/artifacts/check-store";
import { discardArtifacts } from "#lib/platform/artifacts/discard-artifacts";
import { store } from "#lib/platform/storage/store";
import { tellProgress } from "./print-progress.ts";
import { reportAndExit } from "./report-and-exit.ts";

try {
  const remove = readArguments();
  const db = database();
  const progress = tellProgress();
  const { owned, orphans, missing, damaged } = await checkStore(db, store(), (done, total) =>
    progress(`${done} of ${total} folders`),
  );
  progress.end();
  for (const key of orphans) console.log(`nobody's  ${key}`);
  for (const key of missing) console.log(`missing   ${key}`);
  for (const key of damaged) console.log(`damaged   ${key}`);
  console.log(
    `${owned} folders are owned by rows: ${missing.length} are missing, ${damaged.length} are damaged. ${orphans.length} are nobody's.`,
  );
  if (remove && orphans.length > 0) {
    await discardArtifacts(db, orphans);
    await removeLoose(db);
    console.log("Those that are nobody's are removed.");
  }
  await closeDatabase();
  if (missing.length + damaged.length > 0) process.exitCode = 1;
} catch (error) {
  reportAndExit(error);
}

function readArguments(): boolean {
  try {
    return parseArgs({ options: { delete: { type: "boolean" } } }).values.delete === true;
  } catch (error) {
    throw new StartError(`${(error as Error).message}\nUsage: npm run -s storage:check [-- --delete]`);
  }
}
