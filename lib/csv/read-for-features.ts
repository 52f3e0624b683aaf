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
  { timestampColumns, ...format }: FeatureFormat,
): Promise<{ check: CsvCheck; file: CsvResult }> {
  const hours = timestampColumns?.[1];
  // The hours are read with the dates, and wanted for nothing else.
  const wanted = features.filter(({ name, role }) => name !== hours || role !== "timestamp");
  const readAs = (timestamp: readonly string[] | null) => read(optionsFor(wanted, { ...format, timestamp }));
  const both = await readAs(timestampColumns);
  const whole = hours !== undefined && both.header.length > 0 && !both.header.includes(hours);
  const file = whole ? await readAs(timestampColumns!.slice(0, 1)) : both;
  const series = features.some(({ role }) => role === "timestamp");
  return { check: checkAgainst(file, wanted, { series }), file };
}
