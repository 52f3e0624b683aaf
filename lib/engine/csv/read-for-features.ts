import { type CsvCheck, checkAgainst, type ExpectedFeature, optionsFor } from "./check-against.ts";
import type { CsvOptions, CsvResult } from "./options.ts";
import type { DateOrder } from "./timestamps.ts";

/** How files of the same data are written. */
export type FeatureFormat = {
  /** The column of times, or date and hour: then a file may also have the first alone, with whole times. */
  timestampColumns: readonly string[] | null;
  timezone: string;
  dateOrder: DateOrder | null;
  missing: readonly string[];
};

/**
 * Reads a file as input of these features and checks it: the one way to do it, for the browser's preview, for scenarios
 * and for their validation.
 *
 * @param read reads the file from its start, as often as it is called
 */
export async function readForFeatures(
  read: (options: CsvOptions) => Promise<CsvResult>,
  features: readonly ExpectedFeature[],
  format: FeatureFormat,
): Promise<{ check: CsvCheck; file: CsvResult }> {
  const { wanted, series, options, optionsWithout } = readingOf(features, format);
  const both = await read(options);
  const without = optionsWithout(both);
  const file = without === null ? both : await read(without);
  return { check: checkAgainst(file, wanted, { series }), file };
}

/** How a file is read for these features, and what is wanted of it. */
export function readingOf(
  features: readonly ExpectedFeature[],
  { timestampColumns, ...format }: FeatureFormat,
) {
  const hours = timestampColumns?.[1];
  // The hours are read with the dates, and wanted for nothing else.
  const wanted = features.filter(({ name, role }) => name !== hours || role !== "timestamp");
  const optionsAs = (timestamp: readonly string[] | null) => optionsFor(wanted, { ...format, timestamp });
  return {
    wanted,
    /** Whether the rows are in the order of time. */
    series: features.some(({ role }) => role === "timestamp"),
    options: optionsAs(timestampColumns),
    /** For a file without the column of hours, which is to be read again with whole times; else null. */
    optionsWithout({ header }: CsvResult): CsvOptions | null {
      const isWhole = hours !== undefined && header.length > 0 && !header.includes(hours);
      return isWhole ? optionsAs(timestampColumns!.slice(0, 1)) : null;
    },
  };
}
