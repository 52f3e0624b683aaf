import type { FeatureEngineering } from "#lib/contract/models";
import { type CsvCheck, checkAgainst, type ExpectedFeature, optionsFor } from "./check-against.ts";
import type { NumberFormat } from "./number-format.ts";
import type { CsvOptions, CsvResult } from "./options.ts";

/** Format of the files of a dataset. With two timestamp columns, a file may instead have complete times in the first. */
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
  const { wanted, mustBeSorted, options, optionsWithoutHours } = readingOf(features, format);
  const first = await read(options);
  const retryOptions = optionsWithoutHours(first);
  const file = retryOptions === null ? first : await read(retryOptions);
  return { check: checkAgainst(file, wanted, { mustBeSorted: mustBeSorted && !anyOrder }), file };
}

/** Returns the reading options for these features, and the features to check. */
export function readingOf(
  features: readonly ExpectedFeature[],
  { timestampColumns, numberFormats = [], ...format }: FeatureFormat,
) {
  const hours = timestampColumns?.[1];
  // An hour column with the role timestamp is only joined to the dates, so it is not checked itself.
  const wanted = features.filter(({ name, role }) => name !== hours || role !== "timestamp");
  const optionsAs = (timestamp: readonly string[] | null, absentHours?: string) =>
    optionsFor(wanted, { ...format, numberFormats, timestamp, absentHours });
  return {
    wanted,
    /** Whether the rows must be in time order. */
    mustBeSorted: features.some(({ role }) => role === "timestamp"),
    options: optionsAs(timestampColumns),
    /** If the file lacks the hour column, returns options to read it again with complete times. Otherwise null. */
    optionsWithoutHours({ header }: CsvResult): CsvOptions | null {
      const lacksHours = hours !== undefined && header.length > 0 && !header.includes(hours);
      return lacksHours ? optionsAs(timestampColumns!.slice(0, 1), hours) : null;
    },
  };
}
