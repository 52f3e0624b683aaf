import type { Column, Table } from "#lib/contract/table";
import { findColumn, numericValues } from "#lib/engine/table/columns";
import { zoneOffset } from "#lib/engine/time/timezones";
import { type DatasetSettings, hoursColumn } from "./settings.ts";

const HOUR_MS = 3_600_000;

/**
 * Returns the columns of `like`, in its order, with the rows of `rows`. Columns that the rows lack are missing values,
 * except the numeric hours of a joined timestamp, which are computed from it.
 */
export function alignRows(rows: Table, like: Table, settings: DatasetSettings): Table {
  const [timestamp] = settings.timestampColumns ?? [];
  const hours = hoursColumn(settings);
  const columns = like.columns.map((wanted): Column => {
    const column = findColumn(rows, wanted.name);
    if (column?.type === wanted.type) return column;
    if (wanted.type === "category") {
      return { ...wanted, codes: new Int32Array(rows.rowCount).fill(-1), categories: [] };
    }
    if (wanted.name === hours && wanted.type === "number" && timestamp !== undefined) {
      return { ...wanted, values: hoursOf(numericValues(rows, timestamp), settings.timezone) };
    }
    return { ...wanted, values: new Float64Array(rows.rowCount).fill(Number.NaN) };
  });
  return { rowCount: rows.rowCount, columns };
}

/** Returns the local hour of each instant (epoch milliseconds) in the time zone. */
function hoursOf(instants: Float64Array, timezone: string): Float64Array {
  const offset = zoneOffset(timezone);
  return instants.map((instant) => {
    const wall = instant + offset(instant);
    return Math.floor((wall - Math.floor(wall / (24 * HOUR_MS)) * 24 * HOUR_MS) / HOUR_MS);
  });
}
