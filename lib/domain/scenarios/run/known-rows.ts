import type { Table } from "#lib/contract/table";
import { type DatasetRow, readDatasetTable } from "#lib/domain/datasets/current-dataset";
import type { OpenModel } from "#lib/domain/models/open-model";
import { defaultHorizon } from "#lib/engine/features/frequency";
import type { GridDefinition } from "#lib/engine/features/grid";
import { findColumn, numericValues, selectColumns } from "#lib/engine/table/columns";
import { takeRows } from "#lib/engine/table/rows";

/** How a model's series stands in time: what its rows are named and stepped by, and where the known ones end. */
export type SeriesFacts = {
  timestamp: string;
  timezone: string;
  /** null: the times have no regular step, so that the next ones are not known. */
  grid: GridDefinition | null;
  /** Steps that are generated where no end is named. */
  horizon: number;
  /** Epoch milliseconds of the last known row; null where none is known. */
  lastTimestamp: number | null;
};

/**
 * The series of a model in its project, by what the model kept and by the project's present dataset, which may have
 * newer rows. Null for a model without times. A model from outside has no times of its own: those of the dataset are
 * taken.
 */
export function seriesFacts(model: OpenModel, dataset: DatasetRow | null): SeriesFacts | null {
  const { state } = model;
  if (state.timestamp !== null) {
    const { timestamp, timezone, grid } = state;
    const newest = sameTimes(state.timestamp, dataset) ? (dataset?.lastTimestamp?.getTime() ?? null) : null;
    const lastTimestamp = latest(state.lastTimestamp, newest);
    return { timestamp, timezone, grid, horizon: state.horizon ?? 1, lastTimestamp };
  }
  const timestamp = dataset?.timestampColumns?.[0];
  if (state.imported === null || !dataset || timestamp === undefined) return null;
  const { frequency, timezone, firstTimestamp, lastTimestamp } = dataset;
  const grid =
    frequency === null || firstTimestamp === null
      ? null
      : { frequency, timezone, start: firstTimestamp.getTime() };
  return {
    timestamp,
    timezone,
    grid,
    horizon: frequency === null ? 1 : defaultHorizon(frequency),
    lastTimestamp: lastTimestamp?.getTime() ?? null,
  };
}

/**
 * Rows of the project's dataset that come after those that the model kept (all, where it kept none), with the time,
 * the target and the features as far as the dataset has them; null where there are none or the dataset is another one.
 */
export async function newerRows(
  model: OpenModel,
  facts: SeriesFacts,
  dataset: DatasetRow | null,
): Promise<Table | null> {
  if (dataset === null || dataset.timestampColumns?.[0] !== facts.timestamp) return null;
  const since = model.history === null ? null : model.state.lastTimestamp;
  if (since !== null && (dataset.lastTimestamp?.getTime() ?? since) <= since) return null;
  const table = await readDatasetTable(dataset);
  const wanted = [
    facts.timestamp,
    ...model.inputFeatures.filter(({ role }) => role === "input").map(({ name }) => name),
    ...(findColumn(table, model.state.target) || model.history !== null ? [model.state.target] : []),
  ];
  const kinds = new Map(model.history?.columns.map(({ name, type }) => [name, type]));
  const fits = wanted.every((name) => {
    const column = findColumn(table, name);
    return column !== undefined && (kinds.get(name) ?? column.type) === column.type;
  });
  if (!fits) return null;
  const times = numericValues(table, facts.timestamp);
  const rows = Int32Array.from(times.keys()).filter((row) => since === null || times[row]! > since);
  return rows.length === 0 ? null : takeRows(selectColumns(table, [...new Set(wanted)]), rows);
}

function sameTimes(timestamp: string, dataset: DatasetRow | null): boolean {
  return dataset?.timestampColumns?.[0] === timestamp;
}

function latest(a: number | null, b: number | null): number | null {
  return a === null || b === null ? (a ?? b) : Math.max(a, b);
}
