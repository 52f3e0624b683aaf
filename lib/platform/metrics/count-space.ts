import { sql } from "drizzle-orm";
import type { Database } from "#db/client";
import { recordedBytes } from "#lib/platform/artifacts/recorded-bytes";
import { perProcess } from "#lib/platform/process/per-process";
import { metrics } from "./metrics.ts";

/** Projects with a figure of their own. Each further one would add a time series for every process. */
const LARGEST = 10;
/** The query reads the rows of all scenarios and models, so it runs at most once in this time. */
const KEPT_MS = 60_000;

type Figures = { kinds: { kind: string; bytes: number }[]; largest: { project: string; bytes: number }[] };

const kept = perProcess("space figures", () => ({
  at: Number.NEGATIVE_INFINITY,
  figures: null as Figures | null,
}));

/** Sums the space of all projects by kind, and of the largest projects. Returns a function that sets the figures. */
export async function countSpace(db: Database): Promise<() => void> {
  const cache = kept();
  if (cache.figures === null || performance.now() - cache.at > KEPT_MS) {
    cache.figures = await readFigures(db);
    cache.at = performance.now();
  }
  const { kinds, largest } = cache.figures;
  return () => {
    const { storeBytes, projectStoreBytes } = metrics();
    for (const gauge of [storeBytes, projectStoreBytes]) gauge.reset();
    for (const { kind, bytes } of kinds) storeBytes.set({ kind }, bytes);
    largest.forEach(({ bytes }, index) => {
      projectStoreBytes.set({ rank: index + 1 }, bytes);
    });
  };
}

async function readFigures(db: Database): Promise<Figures> {
  const rows = await db.execute<{ kind: string | null; project: string | null; bytes: number }>(sql`
    select kind, project_id as project, sum(bytes)::float8 as bytes from (${recordedBytes}) recorded
    group by grouping sets ((kind), (project_id))`);
  const kinds = rows.flatMap(({ kind, bytes }) => (kind === null ? [] : [{ kind, bytes }]));
  const largest = rows
    .flatMap(({ project, bytes }) => (project === null ? [] : [{ project, bytes }]))
    .toSorted((a, b) => b.bytes - a.bytes)
    .slice(0, LARGEST);
  return { kinds, largest };
}
