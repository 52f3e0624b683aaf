import { type DatasetRow, settingsOf } from "./current-dataset.ts";

/** Returns a version as the audit log shows it. */
export function audited(row: DatasetRow) {
  const { fileName, rowCount, frequency, firstTimestamp, lastTimestamp } = row;
  return {
    fileName,
    rows: rowCount,
    columns: row.profile.columns.length,
    firstTimestamp,
    lastTimestamp,
    frequency,
    ...auditedSettings(row),
  };
}

/** Returns the settings of a version as the audit log shows them. */
export function auditedSettings(row: DatasetRow) {
  const { timestampColumns: timestamp, seriesColumns: series, numberFormats, ...settings } = settingsOf(row);
  return {
    timestamp,
    series,
    ...settings,
    numberFormats: Object.fromEntries(numberFormats.map(({ column, ...format }) => [column, format])),
  };
}
