import type { FeatureEngineering } from "#lib/contract/models";
import { type CsvCheck, checkAgainst, type ExpectedFeature, optionsFor } from "./check-against.ts";
import type { NumberFormat } from "./number-format.ts";
import { type CsvOptions, type CsvResult, readingOf, readingOptions } from "./options.ts";

/** Format of the files of a dataset. With several timestamp columns, a file may instead have complete times in the first. */
export type FeatureFormat = Omit<NonNullable<FeatureEngineering["inputFormat"]>, "numberFormats"> & {
  numberFormats?: readonly NumberFormat[] | undefined;
};

/**
 * Reads a whole file as input of these features and checks it, for the preview in the browser. `streamForFeatures` does
 * the same block by block.
 *
 * @param read reads the file from its start; may be called twice
 * @param anyOrder whether rows may be in any order
 */
export async function readForFeatures(
  read: (options: CsvOptions) => Promise<CsvResult>,
  features: readonly ExpectedFeature[],
  format: FeatureFormat,
  anyOrder = false,
): Promise<{ check: CsvCheck; file: CsvResult }> {
  const { wanted, mustBeSorted, series, options, optionsWithoutHours } = optionsForFeatures(features, format);
  const first = await read(options);
  const retryOptions = optionsWithoutHours(first);
  const file = retryOptions === null ? first : await read(retryOptions);
  const check = checkAgainst(file, wanted, { mustBeSorted: mustBeSorted && !anyOrder, series });
  return { check: withReading(check, file, format), file };
}

/** Returns a check with the description of how the file was read. */
export const withReading = (check: CsvCheck, file: CsvResult, format: FeatureFormat): CsvCheck => ({
  ...check,
  reading: readingOf(file, { reading: format.reading ?? null, timestampColumns: format.timestampColumns }),
});

/** Returns the reading options for these features, and the features to check. */
export function optionsForFeatures(
  features: readonly ExpectedFeature[],
  { timestampColumns, numberFormats = [], reading, series, ...format }: FeatureFormat,
) {
  const parts = timestampColumns?.slice(1) ?? [];
  // A part with the role timestamp is only joined to the dates, so it is not checked itself.
  const wanted = features.filter(({ name, role }) => !parts.includes(name) || role !== "timestamp");
  const optionsAs = (timestamp: readonly string[] | null, absentHours?: string) =>
    optionsFor(wanted, { ...format, ...readingOptions(reading), numberFormats, timestamp, absentHours });
  return {
    wanted,
    /** Whether the rows must be in time order. */
    mustBeSorted: series === undefined && features.some(({ role }) => role === "timestamp"),
    /** Columns that name the series of a row. */
    series,
    options: optionsAs(timestampColumns),
    /** If the file lacks the parts of the times, returns options to read it again with complete times. Otherwise null. */
    optionsWithoutHours({ header }: CsvResult): CsvOptions | null {
      return lacksParts(header, parts) ? optionsAs(timestampColumns!.slice(0, 1), parts[0]) : null;
    },
  };
}

/** Returns whether a file that was read has none of the columns with the parts of its times. */
export function lacksParts(header: readonly string[], parts: readonly string[]): boolean {
  return parts.length > 0 && header.length > 0 && !parts.some((name) => header.includes(name));
}
