import { stepsText } from "#lib/contract/duration-text";
import type { Table } from "#lib/contract/table";
import { type DatasetRow, monthDayOf, readDatasetTable } from "#lib/domain/datasets/current-dataset";
import type { OpenModel } from "#lib/domain/models/open-model";
import { defaultHorizon } from "#lib/engine/features/frequency";
import { createGrid, type GridDefinition, gridOf } from "#lib/engine/features/grid";
import { GENERATED_ROWS_MAX } from "#lib/engine/forecasting/generation";
import { encodeClasses } from "#lib/engine/table/class-values";
import { dropColumns, findColumn, numericValues, selectColumns } from "#lib/engine/table/columns";
import { takeRows } from "#lib/engine/table/rows";
import { lastTimes } from "./last-times.ts";

/** Time properties of a model's series: timestamp column, step, and end of the known rows. */
export type SeriesFacts = {
  timestamp: string;
  timezone: string;
  /** Null if the times have no regular step. Then the next times are unknown. */
  grid: GridDefinition | null;
  /** Number of steps to generate without `endDate`. */
  horizon: number;
  /** Time of the last row with a target, epoch milliseconds; null without known rows. Generated input starts after it. */
  lastTimestamp: number | null;
  /** Time of the last row. Rows after `lastTimestamp` are planned: they hold only inputs. */
  plannedUntil: number | null;
};

/**
 * Returns the time properties of a model's series, from the rows that the model keeps and the project's current dataset,
 * which may have newer rows. Null for a model without times. An imported model keeps no times and uses the times of the dataset.
 */
export function seriesFacts(model: OpenModel, dataset: DatasetRow | null): SeriesFacts | null {
  const { state } = model;
  if (state.timestamp !== null) {
    const { timestamp, timezone, grid } = state;
    const newest = sameTimes(state.timestamp, dataset) ? endsOf(dataset, state.target, grid) : null;
    const lastTimestamp = laterOf(state.lastTimestamp, newest?.lastTimestamp ?? null);
    const plannedUntil = laterOf(lastTimestamp, newest?.plannedUntil ?? null);
    return { timestamp, timezone, grid, horizon: state.horizon ?? 1, lastTimestamp, plannedUntil };
  }
  const timestamp = dataset?.timestampColumns?.[0];
  if (state.imported === null || !dataset || timestamp === undefined) return null;
  const { frequency, timezone } = dataset;
  const grid = gridOfDataset(dataset);
  const horizon = frequency === null ? 1 : defaultHorizon(frequency);
  return { timestamp, timezone, grid, horizon, ...endsOf(dataset, state.target, grid) };
}

/** Returns the last times of a dataset's rows. Without a grid, no row follows another, so none counts as planned. */
function endsOf(
  dataset: DatasetRow | null,
  target: string,
  grid: GridDefinition | null,
): Pick<SeriesFacts, "lastTimestamp" | "plannedUntil"> {
  const plannedUntil = dataset?.lastTimestamp?.getTime() ?? null;
  const known = grid !== null && dataset?.target === target ? dataset.profile.lastTargetTimestamp : null;
  return { lastTimestamp: known ? Date.parse(known) : plannedUntil, plannedUntil };
}

/** Returns the grid of a dataset; null without a regular step. */
function gridOfDataset(dataset: DatasetRow): GridDefinition | null {
  const { frequency, timezone, firstTimestamp, lastTimestamp } = dataset;
  if (frequency === null || firstTimestamp === null || lastTimestamp === null) return null;
  // The first day alone may not show the time of day, because the clocks may skip it.
  const ends = Float64Array.of(firstTimestamp.getTime(), lastTimestamp.getTime());
  return { ...gridOf(ends, { frequency, timezone }), monthDay: monthDayOf(dataset) ?? undefined };
}

/** Rows of a dataset: the columns that the project's model reads, and other columns, which upstream models may read. */
type NewerRows = { own: Table; others: Table };

/**
 * Returns the dataset rows after the rows that the model keeps, or all dataset rows if the model keeps none. Of many series, each
 * continues after its own last row. The model's columns are the time, the inputs, and the target if present. Null if there are no
 * such rows, or if the dataset does not fit the model.
 */
export async function newerRows(
  model: OpenModel,
  facts: SeriesFacts,
  dataset: DatasetRow | null,
): Promise<NewerRows | null> {
  if (dataset === null || dataset.timestampColumns?.[0] !== facts.timestamp) return null;
  const { history } = model;
  const { series } = model.state;
  const since = history === null ? null : model.state.lastTimestamp;
  // A series of many may get rows before the newest time of others.
  if (!series && since !== null && (dataset.lastTimestamp?.getTime() ?? since) <= since) return null;
  const table = withClasses(await readDatasetTable(dataset), model.state);
  const wanted = [
    facts.timestamp,
    ...model.inputFeatures.filter(({ role }) => role === "input").map(({ name }) => name),
    ...(model.state.series?.columns ?? []),
    ...(findColumn(table, model.state.target) || model.history !== null ? [model.state.target] : []),
  ];
  const kinds = new Map(model.history?.columns.map(({ name, type }) => [name, type]));
  const fits = wanted.every((name) => {
    const column = findColumn(table, name);
    return column !== undefined && (kinds.get(name) ?? column.type) === column.type;
  });
  if (!fits) return null;
  const times = numericValues(table, facts.timestamp);
  const { timestamp } = facts;
  const sinceOf =
    series && history
      ? lastTimes(history, { timestamp, columns: series.columns })(table)
      : () => since ?? Number.NEGATIVE_INFINITY;
  const rows = Int32Array.from(times.keys()).filter((row) => times[row]! > sinceOf(row));
  if (rows.length === 0) return null;
  const own = [...new Set(wanted)];
  return { own: takeRows(selectColumns(table, own), rows), others: takeRows(dropColumns(table, own), rows) };
}

/** Returns the table with the target as the numbers that a model of classes keeps. */
function withClasses(table: Table, { target, classes }: OpenModel["state"]): Table {
  return classes && findColumn(table, target) ? encodeClasses(table, target, classes) : table;
}

function sameTimes(timestamp: string, dataset: DatasetRow | null): boolean {
  return dataset?.timestampColumns?.[0] === timestamp;
}

/** Returns the later of two optional times. */
export function laterOf(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b);
}

/** Returns the reason why a series cannot be extended up to a time (epoch milliseconds). Null if it can or need not. */
export function whyOutOfReach({ grid, lastTimestamp }: SeriesFacts, until: number): string | null {
  if (lastTimestamp === null) return "the upstream project has no known rows";
  if (until <= lastTimestamp) return null;
  if (grid === null)
    return "the upstream project has no regular step, so rows after its last known one cannot be generated";
  const { indexOf } = createGrid(grid);
  const rows = indexOf(until) - indexOf(lastTimestamp);
  if (rows <= GENERATED_ROWS_MAX) return null;
  const time = new Date(until).toISOString();
  return `${time} is ${stepsText(rows, grid.frequency)} after the last known row of the upstream project, and at most ${GENERATED_ROWS_MAX} rows can be generated`;
}
