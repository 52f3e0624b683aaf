import type { CsvOptions } from "#lib/engine/csv/options";
import type { DateOrder } from "#lib/engine/csv/timestamps";

/**
 * How input for a model is written, as in the data that it learned from. Kept beside the model as `input.json`, so that
 * a checkpoint reads files in the same way for ever, whatever becomes of the project's dataset.
 */
export type InputFormat = {
  version: 1;
  /**
   * The column of times, or the columns of date and hour that are joined in the first. Input may also come with the
   * first one alone, which then holds the whole time.
   */
  timestampColumns: string[] | null;
  /** IANA zone of times that name none. */
  timezone: string;
  /** Which number of a date such as 3/4/2024 is the month, where the data has told. */
  dateOrder: DateOrder | null;
  /** Texts that stand for a missing value besides the empty cell. */
  missing: string[];
};

export const inputFormatFileName = "input.json";

/** Of a model without the file: nothing but what the model itself says. */
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
