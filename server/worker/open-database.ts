import { createDatabase } from "#db/client";
import { provideDatabase } from "#lib/platform/database/process-database";

/** Statement time-out: no user waits, and a job may write much data. */
const statementMs = 24_000;

/** Opens the database of a process that runs jobs. */
export function openDatabase(url: string): void {
  provideDatabase(createDatabase(url, { statementMs }));
}
