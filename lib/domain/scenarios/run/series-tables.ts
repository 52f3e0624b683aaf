import type { Column, Table } from "#lib/contract/table";
import type { OpenModel } from "#lib/domain/models/open-model";
import { createGrid } from "#lib/engine/features/grid";
import type { InputFeature } from "#lib/engine/inference/input-features";
import { selectColumns } from "#lib/engine/table/columns";
import type { SeriesFacts } from "./known-rows.ts";

/** The columns of both, which have the same rows. */
export function besides(table: Table, { columns }: Table): Table {
  return { ...table, columns: [...table.columns, ...columns] };
}

/** A model from outside reads no times; a file may bring them nevertheless, for the scenario to be drawn over. */
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

/** The columns that a project is asked to bring itself: time and inputs, not other projects' predictions. */
export function inputsOf(model: OpenModel, table: Table, timestamp: string): Table {
  const inputs = model.inputFeatures.filter(({ role }) => role === "input").map(({ name }) => name);
  return selectColumns(table, [...new Set([timestamp, ...inputs])]);
}

/** Whether a time (epoch milliseconds) lies after the last known step. */
export function isBeyond({ grid, lastTimestamp }: SeriesFacts, time: number): boolean {
  if (lastTimestamp === null || !Number.isFinite(time)) return false;
  if (grid === null) return time > lastTimestamp;
  const { indexOf } = createGrid(grid);
  return indexOf(time) > indexOf(lastTimestamp);
}

/** Columns in the order of a model's features, the time first where the model itself does not read it. */
export function inFeatureOrder(features: readonly InputFeature[], table: Table): Table {
  const order = new Map(features.map(({ name }, index) => [name, index]));
  const place = ({ name }: Column) => order.get(name) ?? -1;
  return { rowCount: table.rowCount, columns: table.columns.toSorted((a, b) => place(a) - place(b)) };
}
