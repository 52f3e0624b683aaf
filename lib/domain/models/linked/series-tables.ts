import type { Column, Table } from "#lib/contract/table";
import type { OpenModel } from "#lib/domain/models/open-model";
import { createGrid } from "#lib/engine/features/grid";
import type { InputFeature } from "#lib/engine/inference/input-features";
import {
  findColumn,
  numericValues,
  selectColumns,
  selectExisting,
  withColumn,
} from "#lib/engine/table/columns";
import { takeRows } from "#lib/engine/table/rows";
import type { SeriesFacts } from "./known-rows.ts";

/** Joins the columns of two tables with the same rows. */
export function joinColumns(table: Table, { columns }: Table): Table {
  return { ...table, columns: [...table.columns, ...columns] };
}

/** Adds an optional timestamp feature. An imported model reads no times, but the scenario's chart uses them. */
export function withTime(features: InputFeature[], timestamp: string): InputFeature[] {
  if (features.some(({ name }) => name === timestamp)) return features;
  const nothing = { min: null, max: null, mean: null, median: null, missing: 0, categories: null };
  const time = {
    name: timestamp,
    type: "timestamp",
    role: "input",
    required: false,
    missingAllowed: false,
  } as const;
  return [{ ...time, ...nothing, sourceProjectId: null }, ...features];
}

/** Selects the time and the inputs of a project, without upstream features. */
export function inputsOf(model: OpenModel, table: Table, timestamp: string): Table {
  const inputs = model.inputFeatures.filter(({ role }) => role === "input").map(({ name }) => name);
  return selectColumns(table, [...new Set([timestamp, ...inputs])]);
}

/** Returns the rows up to a time (epoch milliseconds). */
export function rowsUntil(table: Table, timestamp: string, until: number): Table {
  const times = numericValues(table, timestamp);
  return takeRows(
    table,
    Int32Array.from(times.keys()).filter((row) => times[row]! <= until),
  );
}

/** Drops the rows that lack a value which the model requires. */
function withRequiredValues(model: OpenModel, table: Table): Table {
  const required = model.inputFeatures
    .filter(({ missingAllowed }) => !missingAllowed)
    .map(({ name }) => name);
  const { columns } = selectExisting(table, required);
  const isPresent = (row: number) =>
    columns.every((column) =>
      column.type === "category" ? column.codes[row]! >= 0 : !Number.isNaN(column.values[row]!),
    );
  const rows = Int32Array.from({ length: table.rowCount }, (_, row) => row).filter(isPresent);
  return rows.length === table.rowCount ? table : takeRows(table, rows);
}

/** Selects the known rows from which a model predicts the steps of its series: those up to the last known step, with required values. */
export function knownSteps(
  model: OpenModel,
  { timestamp, lastTimestamp }: SeriesFacts,
  history: Table,
): Table {
  const observed = lastTimestamp === null ? history : rowsUntil(history, timestamp, lastTimestamp);
  return withRequiredValues(model, inputsOf(model, observed, timestamp));
}

/** Returns whether a time (epoch milliseconds) lies after the last known step. */
export function isBeyond({ grid, lastTimestamp }: SeriesFacts, time: number): boolean {
  if (lastTimestamp === null || !Number.isFinite(time)) return false;
  if (grid === null) return time > lastTimestamp;
  const { indexOf } = createGrid(grid);
  return indexOf(time) > indexOf(lastTimestamp);
}

/** Sorts columns by the order of a model's features. A timestamp column that the model does not read comes first. */
export function inFeatureOrder(features: readonly InputFeature[], table: Table): Table {
  const order = new Map(features.map(({ name }, index) => [name, index]));
  const place = ({ name }: Column) => order.get(name) ?? -1;
  return { rowCount: table.rowCount, columns: table.columns.toSorted((a, b) => place(a) - place(b)) };
}

/** Copies the timestamp column under the upstream model's name for it. Columns that earlier models read stay. */
export function withTimesOf(upstream: OpenModel, table: Table, timestamp: string | null): Table {
  const times = timestamp === null ? undefined : findColumn(table, timestamp);
  if (times === undefined) return table;
  const names = upstream.inputFeatures.filter(({ role }) => role === "timestamp").map(({ name }) => name);
  return names.reduce((result, name) => withColumn(result, { ...times, name }), table);
}
