import type { Dataset } from "#lib/contract/datasets";
import { BUSINESS_DAY } from "#lib/contract/duration-text";
import type { DatasetRow } from "./current-dataset.ts";

/** Returns a frequency as the API shows it. */
export const wireFrequency = (frequency: string | null) => (frequency === BUSINESS_DAY ? "P1D" : frequency);

export function presentDataset(row: DatasetRow): Dataset {
  const { columns, warnings, dateOrder, monthDay, plannedRows = 0, series = null } = row.profile;
  const lastTimestamp = row.lastTimestamp?.toISOString() ?? null;
  return {
    id: row.id,
    fileName: row.fileName,
    rowCount: row.rowCount,
    columns,
    target: row.target,
    timestamp: row.timestampColumns,
    series,
    timezone: row.timezone,
    missing: row.missing,
    confirmed: row.confirmed,
    numberFormats: row.numberFormats,
    dateOrder,
    reading: row.reading,
    frequency: wireFrequency(row.frequency),
    calendar: row.frequency === BUSINESS_DAY ? "business" : null,
    calendarOption: row.calendar,
    resample: row.resample,
    monthDay,
    firstTimestamp: row.firstTimestamp?.toISOString() ?? null,
    lastTimestamp,
    lastTargetTimestamp: row.profile.lastTargetTimestamp ?? lastTimestamp,
    plannedRows,
    warnings,
    createdAt: row.createdAt.toISOString(),
    createdBy: row.createdBy,
  };
}
