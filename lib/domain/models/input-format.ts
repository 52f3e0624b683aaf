import { z } from "zod";
import { NumberFormatRule, Resample } from "#lib/contract/datasets";
import type { FeatureEngineering } from "#lib/contract/models";
import { Reading } from "#lib/contract/reading";
import { type CsvOptions, readingOptions } from "#lib/engine/csv/options";
import { TimeZone } from "#lib/engine/inference/file-schemas";

/**
 * Format of a model's input, taken from its training data; the default for imported models. Stored beside the model as
 * `input.json`, so a checkpoint reads files the same way even if the project's dataset changes.
 */
export const InputFormatSchema = z.strictObject({
  version: z.literal(1),
  /**
   * The timestamp column, or the columns that are joined under the first one's name. Input may also contain only the
   * first column with the whole time.
   */
  timestampColumns: z.array(z.string().min(1).max(1_000)).min(1).max(4).nullable(),
  /** IANA time zone of times without a zone. */
  timezone: TimeZone,
  /** Order of day and month in dates such as 3/4/2024; null if the dates need no order. */
  dateOrder: z.enum(["month-first", "day-first"]).nullable(),
  /** Texts that stand for a missing value besides the empty cell. */
  missing: z.array(z.string()).max(1_000),
  /** Formats of columns whose numbers are not plain. Absent in older models: all are plain. */
  numberFormats: z.array(NumberFormatRule).max(20_000).optional(),
  /** Steps into which the rows of the dataset were joined; null or absent if they were not joined. */
  resample: Resample.nullish(),
  /** How the dataset's file was read. Absent in older models; null in models of datasets that are older than this field. */
  reading: Reading.nullish(),
  /** Columns that name the series of a row. Absent for one series. */
  series: z.array(z.string().min(1).max(1_000)).min(1).max(4).optional(),
});
export type InputFormat = z.infer<typeof InputFormatSchema>;

export const inputFormatFileName = "input.json";

/** Returns the format of an imported model, or of an older model without `input.json`. */
export function defaultInputFormat(timestamp: string | null, timezone: string): InputFormat {
  return {
    version: 1,
    timestampColumns: timestamp === null ? null : [timestamp],
    timezone,
    dateOrder: null,
    missing: [],
  };
}

/** Returns the fields of the format that the API shows. */
export function presentInputFormat({
  timestampColumns,
  timezone,
  dateOrder,
  missing,
  numberFormats = [],
  reading,
  series,
}: InputFormat): NonNullable<FeatureEngineering["inputFormat"]> {
  return {
    timestampColumns,
    timezone,
    dateOrder,
    missing,
    numberFormats,
    ...(reading && { reading }),
    ...(series && { series }),
  };
}

export function csvOptionsOfFormat(format: InputFormat): CsvOptions {
  const { timestampColumns, reading, series: _, ...options } = presentInputFormat(format);
  return { timestamp: timestampColumns, ...options, ...readingOptions(reading) };
}
