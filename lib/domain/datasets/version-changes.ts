import { and, desc, eq, gte, inArray, isNotNull, isNull, lt, lte, sql } from "drizzle-orm";
import type { Queryable } from "#db/client";
import { datasets } from "#db/schema/datasets";
import { models } from "#db/schema/models";
import { scenarioRuns, scenarios } from "#db/schema/scenarios";
import type { DatasetChanges } from "#lib/contract/dataset-versions";
import { firstRow } from "#lib/engine/series/window";
import { changesBetween } from "#lib/platform/audit/changes-between";
import { LruCache } from "#lib/platform/concurrency/lru-cache";
import type { Context } from "#lib/platform/context/context";
import { standardError } from "#lib/platform/errors/standard-error";
import { auditedSettings } from "./audited.ts";
import type { VersionDifferences } from "./compare-versions.ts";
import { type DatasetRow, findVersion } from "./current-dataset.ts";
import { runDatasetTask } from "./dataset-tasks.ts";

/** Differences of recently compared versions, which never change. */
const cache = new LruCache<VersionDifferences>(20);

const SCENARIOS_MAX = 100;

/** @throws {DomainError} version_not_found */
export async function requireVersion(
  db: Queryable,
  { projectId, versionId }: { projectId: string; versionId: string },
): Promise<DatasetRow> {
  const row = await findVersion(db, { projectId, versionId });
  if (row === null) throw standardError("version_not_found");
  return row;
}

/**
 * Compares a version of the dataset with another one.
 *
 * @param sinceId ID of the other version; undefined: the one before
 * @throws {DomainError} version_not_found
 */
export async function getVersionChanges(
  ctx: Context,
  { projectId, versionId, sinceId }: { projectId: string; versionId: string; sinceId?: string | undefined },
): Promise<DatasetChanges> {
  const after = await requireVersion(ctx.db, { projectId, versionId });
  const before =
    sinceId === undefined
      ? await versionBefore(ctx.db, after)
      : await requireVersion(ctx.db, { projectId, versionId: sinceId });
  return versionChanges(ctx, before, after);
}

async function versionBefore(db: Queryable, { projectId, version }: DatasetRow): Promise<DatasetRow | null> {
  const [row] = await db
    .select()
    .from(datasets)
    .where(and(eq(datasets.projectId, projectId), lt(datasets.version, version)))
    .orderBy(desc(datasets.version))
    .limit(1);
  return row ?? null;
}

/** Returns the differences between two versions, and what used rows that are removed. */
export async function versionChanges(
  ctx: Pick<Context, "db">,
  before: DatasetRow | null,
  after: DatasetRow,
): Promise<DatasetChanges> {
  if (before === null) {
    const rowCount = { before: 0, after: after.rowCount, added: after.rowCount, removed: 0, changed: 0 };
    const nothing = {
      rows: [],
      columns: { added: [], removed: [] },
      settings: [],
      models: [],
      scenarios: [],
    };
    return { versionId: after.id, sinceId: null, rowCount, ...nothing };
  }
  const { removedTimes, ...found } = await differences(before, after);
  return {
    versionId: after.id,
    sinceId: before.id,
    ...found,
    settings: changesBetween(auditedSettings(before), auditedSettings(after)),
    models: found.rowCount.removed === 0 ? [] : await modelsOf(ctx.db, before, after),
    scenarios: removedTimes?.length ? await scenariosOf(ctx.db, after.projectId, removedTimes) : [],
  };
}

function differences(before: DatasetRow, after: DatasetRow): Promise<VersionDifferences> {
  const versionOf = ({ parts, timestampColumns, seriesColumns, target }: DatasetRow) => ({
    parts,
    target,
    series: seriesColumns,
    time: timestampColumns?.[0] ?? null,
  });
  const bytes = 8 * (before.rowCount + after.rowCount) * after.profile.columns.length;
  const request = { before: versionOf(before), after: versionOf(after) };
  return cache.get(`${before.id} ${after.id}`, () => runDatasetTask("compare", request, { bytes }));
}

/**
 * Finds the models that were trained on rows that `after` lacks: on `before`, or, if `after` is older, on any version that
 * followed it. Older versions than `after` do not count, because others removed their rows.
 */
async function modelsOf(
  db: Queryable,
  before: DatasetRow,
  after: DatasetRow,
): Promise<DatasetChanges["models"]> {
  const versionId = sql<string>`${models.details}->>'datasetVersionId'`;
  const trained = await db
    .select({ id: models.id, modelName: models.modelName, trainedAt: models.trainedAt, versionId })
    .from(models)
    .where(and(eq(models.projectId, after.projectId), isNotNull(versionId)))
    .orderBy(desc(models.createdAt), desc(models.id));
  const ids = [...new Set(trained.map((model) => model.versionId))];
  const versions = await db
    .select()
    .from(datasets)
    .where(and(eq(datasets.projectId, after.projectId), inArray(sql`${datasets.id}::text`, ids)));
  const removed = new Map<string, number>();
  for (const version of versions) {
    const isLater = version.version > after.version && after.version < before.version;
    if (version.id !== before.id && !isLater) continue;
    removed.set(version.id, (await differences(version, after)).rowCount.removed);
  }
  return trained.flatMap(({ id, modelName, trainedAt, versionId: of }) => {
    const rows = removed.get(of) ?? 0;
    return rows === 0 ? [] : [{ id, modelName, trainedAt: trainedAt.toISOString(), rows }];
  });
}

/** Finds the scenarios whose period contains these times, which actuals are compared with. */
async function scenariosOf(
  db: Queryable,
  projectId: string,
  times: Float64Array,
): Promise<DatasetChanges["scenarios"]> {
  const rows = await db
    .select({
      id: scenarios.id,
      title: scenarios.title,
      first: scenarioRuns.firstTimestamp,
      last: scenarioRuns.lastTimestamp,
    })
    .from(scenarios)
    .innerJoin(scenarioRuns, eq(scenarioRuns.id, scenarios.shownRunId))
    .where(
      and(
        eq(scenarios.projectId, projectId),
        isNull(scenarios.deletedAt),
        lte(scenarioRuns.firstTimestamp, new Date(times.at(-1)!)),
        gte(scenarioRuns.lastTimestamp, new Date(times[0]!)),
      ),
    )
    .orderBy(desc(scenarios.createdAt), desc(scenarios.id));
  return rows
    .flatMap(({ id, title, first, last }) => {
      const start = firstRow(times, (time) => time >= first!.getTime());
      const end = firstRow(times, (time) => time > last!.getTime());
      return end > start ? [{ id, title, rows: end - start }] : [];
    })
    .slice(0, SCENARIOS_MAX);
}
