import { chmodSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";
import postgres from "postgres";
import type { TestProject } from "vitest/node";
import { createDatabase } from "#db/client";
import { migrate } from "#db/migrate";
import { closeDatabase, provideDatabase } from "#lib/platform/database/process-database";
import { closeJobSender, jobSender } from "#lib/platform/jobs/job-sender";
import { processIdentity } from "../server/postgres/process-identity.ts";
import { startPostgres } from "../server/postgres/start-postgres.ts";
import { createDataFolder, dataRoot } from "./run-folder.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** URL of the run's PostgreSQL server, for its superuser. */
    postgresUrl: string;
    /** Folder of the run, removed at its end. */
    runFolder: string;
  }
}

export const templateDatabase = "template_service";

const prefix = "forkcast-test-";

/**
 * Starts one PostgreSQL server for the run, with a template database that has the schema. Concurrent runs have separate
 * servers and folders.
 */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  removeAbandonedRuns();
  const runFolder = createDataFolder(`${prefix}${process.pid}-`);
  chmodSync(runFolder, 0o755);
  const server = await startPostgres({ dataDir: path.join(runFolder, "data"), durable: false });

  const sql = postgres(server.url, { max: 1 });
  await sql.unsafe(`create database ${templateDatabase}`);
  const template = new URL(server.url);
  template.pathname = `/${templateDatabase}`;
  await migrate(template.href);
  await addJobQueues(template.href);
  // PostgreSQL cannot clone a database that has open connections.
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${templateDatabase}`;
  await sql.end();

  provide("postgresUrl", server.url);
  provide("runFolder", runFolder);
  return async () => {
    await server.stop();
    rmSync(runFolder, { recursive: true, force: true });
  };
}

/** Creates the tables of pg-boss. Otherwise, the first sender would create them in each test database. */
async function addJobQueues(url: string): Promise<void> {
  provideDatabase(createDatabase(url));
  await jobSender();
  await closeJobSender();
  await closeDatabase();
}

/** Removes the folders of killed runs. The name of a folder contains the process id of its run. */
function removeAbandonedRuns(): void {
  for (const name of readdirSync(dataRoot)) {
    if (!name.startsWith(prefix)) continue;
    const pid = Number.parseInt(name.slice(prefix.length), 10);
    if (pid > 0 && processIdentity(pid) !== null) continue;
    rmSync(path.join(dataRoot, name), { recursive: true, force: true });
  }
}
