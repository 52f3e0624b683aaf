import { chmodSync, rmSync } from "node:fs";
import path from "node:path";
import postgres, { type Sql } from "postgres";
import { createDatabase } from "#db/client";
import { migrate } from "#db/migrate";
import { provideDatabase } from "#lib/platform/database/process-database";
import { closeJobSender } from "#lib/platform/jobs/job-sender";
import { startPostgres } from "../server/postgres/start-postgres.ts";
import { createDataFolder } from "./run-folder.ts";

/** Text of a statement, followed by its plan in the format of EXPLAIN. */
type ExecutedPlan = string;

export type ExplainingDatabase = AsyncDisposable & {
  sql: Sql;
  /** Runs `work` and returns the plans of its statements, including those of triggers and foreign keys. */
  plansOf(work: () => Promise<void>): Promise<ExecutedPlan[]>;
};

const marker = "the end of the plans";

/** Starts a PostgreSQL server that can log every plan (`auto_explain`). `database()` returns its database. */
export async function startExplainingDatabase(): Promise<ExplainingDatabase> {
  const folder = createDataFolder("explaining-postgres-");
  chmodSync(folder, 0o755);
  let lines: string[] = [];
  let atMarker = () => {};
  const server = await startPostgres({
    dataDir: path.join(folder, "data"),
    durable: false,
    onLog(line) {
      lines.push(line);
      if (line.includes(marker)) atMarker();
    },
  });
  await migrate(server.url);
  const sql = postgres(server.url, { max: 1, onnotice: () => {} });
  let connection = createDatabase(server.url);
  provideDatabase(connection);
  const setExplaining = async (on: boolean) => {
    await closeJobSender();
    await connection.close();
    await sql.unsafe(
      `alter database postgres ${on ? "set session_preload_libraries = 'auto_explain'" : "reset all"}`,
    );
    if (on) {
      await sql`alter database postgres set auto_explain.log_min_duration = 0`;
      await sql`alter database postgres set auto_explain.log_nested_statements = on`;
    }
    connection = createDatabase(server.url);
    provideDatabase(connection);
  };
  return {
    sql,
    async plansOf(work) {
      await setExplaining(true);
      lines = [];
      await work();
      await setExplaining(false);
      const ended = new Promise<void>((resolve) => {
        atMarker = resolve;
      });
      await sql.unsafe(`do $$ begin raise log '${marker}'; end $$`);
      await ended;
      return messagesOf(lines).filter((message) => message.includes("Query Text: "));
    },
    async [Symbol.asyncDispose]() {
      await closeJobSender();
      await connection.close();
      await sql.end();
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Groups lines into messages. The second and later lines of a message start with a tab. */
function messagesOf(lines: readonly string[]): string[] {
  const messages: string[][] = [];
  for (const line of lines) {
    if (line.startsWith("\t")) messages.at(-1)?.push(line);
    else messages.push([line]);
  }
  return messages.map((message) => message.join("\n"));
}
