import { createDatabase } from "#db/client";
import { databaseConnection, provideDatabase } from "#lib/platform/database/process-database";

/** Address where no database answers. */
export const nowhere = "postgres://nobody@127.0.0.1:1/nothing";

/** Runs with another database of the process. */
export async function withDatabase(url: string, run: () => Promise<void>) {
  const present = databaseConnection();
  const other = createDatabase(url);
  provideDatabase(other);
  try {
    await run();
  } finally {
    provideDatabase(present);
    await other.close();
  }
}
