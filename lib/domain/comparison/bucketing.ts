import type { Aggregate, BucketUnit } from "#lib/contract/buckets";
import { currentDataset } from "#lib/domain/datasets/current-dataset";
import type { Bounds } from "#lib/domain/scenarios/chunks/read-predictions";
import type { ScenarioRow } from "#lib/domain/scenarios/find-scenario";
import { effectiveBounds } from "#lib/domain/scenarios/panel/effective-series";
import type { ShownScenario } from "#lib/domain/scenarios/panel/shown-scenarios";
import type { Bucketing } from "#lib/engine/series/compare-scenarios";
import type { Context } from "#lib/platform/context/context";
import { DomainError } from "#lib/platform/errors/domain-error";

/** Requested aggregation, as query parameters. */
export type BucketRequest = { bucket?: BucketUnit | "auto" | undefined; aggregate?: Aggregate | undefined };

/** Maximum number of points by which `auto` chooses the unit of a download. */
export const AUTO_POINTS = 1_000;

/** Maximum number of rows of all scenarios whose bounds are read, 16 bytes each. */
const BOUNDS_MAX = 2_000_000;

const canReadBounds = (rows: readonly ScenarioRow[]) =>
  rows.reduce((sum, { scenario }) => sum + (scenario.rowCount ?? 0), 0) <= BOUNDS_MAX;

/**
 * Returns the aggregation of scenarios of a project; undefined if the points are rows. `auto` does not aggregate if a
 * scenario has no times, or if there are too many rows to compute intervals of aggregates.
 *
 * @throws {DomainError} validation_failed for a unit if a scenario has no times
 */
export async function bucketingOf(
  { db }: Context,
  rows: readonly ScenarioRow[],
  { bucket: unit, aggregate }: BucketRequest,
): Promise<Bucketing | undefined> {
  if (unit === undefined) return undefined;
  const isTimed = rows.every(({ scenario }) => scenario.firstTimestamp !== null);
  if (unit === "auto" && !(isTimed && canReadBounds(rows))) return undefined;
  if (!isTimed) {
    const message = "`bucket` needs timestamps, and a scenario has none. Leave out `bucket`.";
    const details = [{ field: "bucket", value: unit, code: "no_timestamps", message }];
    throw new DomainError("validation_failed", message, { details });
  }
  const dataset = await currentDataset(db, rows[0]!.scenario.projectId);
  return {
    unit,
    aggregate: aggregate ?? dataset?.resample?.statistic ?? "mean",
    timezone: dataset?.timezone ?? "UTC",
  };
}

/**
 * Reads the upper bounds of each scenario, for intervals of sums and means; null if not needed, for too many rows, and for a
 * panel, whose sums have no intervals.
 */
export async function upperBounds(
  { db }: Context,
  shown: readonly Pick<ShownScenario, "row" | "panel">[],
  bucketing: Bucketing | undefined,
): Promise<Pick<Bounds, "upper" | "floors">[]> {
  const isNeeded = bucketing !== undefined && bucketing.aggregate !== "last";
  if (!isNeeded || !canReadBounds(shown.map(({ row }) => row))) return shown.map(() => noBounds);
  return Promise.all(
    shown.map(async ({ row, panel }) => {
      if (panel !== null) return noBounds;
      const { upper, floors } = await effectiveBounds(db, row.scenario);
      return { upper, ...(floors && { floors }) };
    }),
  );
}

const noBounds = { upper: null };
