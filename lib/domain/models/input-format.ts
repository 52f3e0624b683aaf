import type { CsvOptions } from "#lib/engine/csv/options";
import type { DateOrder } from "#lib/engine/csv/timestamps";

/**
 * Format of a model's input, taken from its training data. Stored beside the model as `input.json`, so a checkpoint
 * reads files the same way even if the project's dataset changes.
 */
export type InputFormat = {
  version: 1;
  /**
   * The timestamp column, or the date and hour columns that are joined under the first one's name. Input may also
   * contain only the first column with the whole time.
   */
  timestampColumns: string[] | null;
  /** IANA time zone of times without a zone. */
  timezone: string;
  /** Position of the month in dates such as 3/4/2024; null if the data does not show it. */
  dateOrder: DateOrder | null;
  /** Texts that stand for a missing value besides the empty cell. */
  missing: string[];
};

export const inputFormatFileName = "input.json";

/** Returns the format of a model without `input.json`, derived from the model alone. */
export function defaultInputFormat(timestamp: string | null, timezone: string): InputFormat {
  return {
    version: 1,
    timestampColumns: timestamp === null ? null : [timestamp],
    timezone,
    dateOrder: null,
    missing: [],
  };
}

export function csvOptionsOfFormat({
  timestampColumns,
  timezone,
  dateOrder,
  missing,
}: InputFormat): CsvOptions {
  return { timestamp: timestampColumns, timezone, dateOrder, missing };
}
