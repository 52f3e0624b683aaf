import { sql } from "drizzle-orm";
import postgres, { type Sql } from "postgres";
import { createDatabase, type Database } from "#db/client";
import { migrate } from "#db/migrate";
import { findActiveKey } from "#lib/domain/api-keys/find-key";
import { listProjects } from "#lib/domain/projects/list-projects";
import { nextQueuePosition } from "#lib/platform/jobs/next-queue-position";
import { startPostgres } from "#server/postgres/start-postgres";
import type { Benchmark, Settings } from "./benchmark.ts";
import { growthOfCompared } from "./growth-of-compared.ts";
import { growthOfRows } from "./growth-of-rows.ts";
import { type Measurement, measure } from "./measure.ts";
import { overSizes } from "./over-sizes.ts";
import { growthOfSubscribers } from "./realtime.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** A request whose time may depend on the number of rows in a table. */
type Subject = {
  /** Name of the request. */
  what: string;
  /** Numbers of rows to measure, ascending. */
  sizes: readonly number[];
  table: "projects" | "api_keys" | "jobs";
  /** Adds rows to the table. */
  grow(client: Sql, rows: number): Promise<unknown>;
  query(db: Database): Promise<unknown>;
};

const userId = "00000000-0000-7000-8000-000000000000";
const hash = "0".repeat(64);

const subjects: Subject[] = [
  {
    what: "first page of projects",
    table: "projects",
    sizes: [1, 10, 100, 1_000, 10_000],
    grow: (client, rows) => client`
      insert into projects (id, name, created_by, created_at)
      select gen_random_uuid(), 'Project ' || i, 'bench', now() - i * interval '1 second'
      from generate_series(1, ${rows}::int) as i`,
    query: (db) => listProjects({ db, actor: { kind: "session", userId, role: "admin" } }, { limit: 50 }),
  },
  {
    what: "lookup of an API key",
    table: "api_keys",
    sizes: [1, 10, 100, 1_000, 10_000, 100_000],
    grow: (client, rows) => client`
      insert into api_keys (id, project_id, name, hash, prefix, created_by, last_used_at)
      select gen_random_uuid(), (select id from projects limit 1), 'Key', case
        when exists (select from api_keys) or i > 1 then encode(sha256(gen_random_uuid()::text::bytea), 'hex')
        else ${hash} end, 'mps_0000', 'bench', now() + interval '1 hour'
      from generate_series(1, ${rows}::int) as i`,
    query: (db) => findActiveKey(db, hash),
  },
  {
    what: "queue position of a new job",
    table: "jobs",
    sizes: [10, 100, 1_000, 10_000, 100_000],
    grow: (client, rows) => client`
      insert into jobs (id, project_id, type, status, payload, queue_position, created_by)
      select gen_random_uuid(), md5((i % 100)::text)::uuid, 'CreateScenario',
        'Pending', '{}', i / 100 + 1, 'bench'
      from generate_series(1, ${rows}::int) as i`,
    query: (db) => db.execute(sql`select ${nextQueuePosition(userId, "short")} as position`),
  },
];

/**
 * Measures how time and space grow, and fits an exponent to each:
 *
 * - frequent queries and the table size on disk, by the number of rows in the table
 * - the job of a scenario, by its number of rows
 * - a comparison, by its number of scenarios
 * - an event, by its number of subscribers
 */
export const growth: Benchmark = async function* (settings) {
  yield* growthOfTables(settings);
  yield* growthOfRows(settings);
  yield* growthOfCompared(settings);
  yield* growthOfSubscribers(settings);
};

async function* growthOfTables({ quick, rounds, log }: Settings): AsyncGenerator<Measurement> {
  using folder = temporaryFolder();
  log("  starting PostgreSQL");
  const server = await startPostgres({ dataDir: folder.path });
  try {
    await migrate(server.url);
    const { db, close } = createDatabase(server.url, { max: 2 });
    const client = postgres(server.url, { max: 1, onnotice: () => {} });
    try {
      for (const subject of subjects) yield* measureGrowth(subject, { db, client, rounds, quick });
    } finally {
      await Promise.all([close(), client.end({ timeout: 5 })]);
    }
  } finally {
    await server.stop();
  }
}

type Tools = { db: Database; client: Sql; rounds: number; quick: boolean };

async function* measureGrowth(subject: Subject, tools: Tools): AsyncGenerator<Measurement> {
  const { db, client, rounds, quick } = tools;
  let rowCount = 0;
  yield* overSizes(quick ? subject.sizes.slice(0, 2) : subject.sizes, async (size) => {
    await subject.grow(client, size - rowCount);
    rowCount = size;
    await client`vacuum analyze`;
    const measurement = await measure({
      what: `${subject.what}, ${size.toLocaleString("en")} rows`,
      ours: { name: "ours", run: () => subject.query(db) },
      others: [],
      rounds,
      repeat: 50,
    });
    const [{ bytes }] = await client<[{ bytes: string }]>`
      select pg_total_relation_size(${subject.table}::regclass) as bytes`;
    return { measurement, megabytes: Number(bytes) / 1e6 };
  });
}
