import type { Table } from "#lib/contract/table";
import { type CsvCheck, type ExpectedFeature, RowsCheck } from "./check-against.ts";
import type { CsvOptions, CsvResult } from "./options.ts";
import { type FeatureFormat, optionsForFeatures, withReading } from "./read-for-features.ts";

/**
 * Reads and checks a file as `readForFeatures` does, but block by block: yields the rows while reading, then returns the
 * check of all rows. Only then does the caller know whether the yielded rows are valid.
 *
 * @param read reads the file from its start and yields rows; may be called twice
 */
export async function* streamForFeatures(
  read: (options: CsvOptions) => AsyncGenerator<Table, CsvResult>,
  features: readonly ExpectedFeature[],
  format: FeatureFormat,
): AsyncGenerator<Table, CsvCheck> {
  const { wanted, mustBeSorted, series, options, optionsWithoutHours } = optionsForFeatures(features, format);
  const check = new RowsCheck(wanted, { mustBeSorted, series });
  const first = yield* checkRows(read(options), check);
  // The file is read again only if the first reading looked for a date and an hour to join, and the hour was absent. Such
  // a reading yields no rows, so no row is yielded twice.
  const retryOptions = optionsWithoutHours(first);
  if (retryOptions === null) {
    yield first.table;
    return withReading(check.finish(first), first, format);
  }
  const checkAgain = new RowsCheck(wanted, { mustBeSorted, series });
  const file = yield* checkRows(read(retryOptions), checkAgain);
  yield file.table;
  return withReading(checkAgain.finish(file), file, format);
}

async function* checkRows(
  rows: AsyncGenerator<Table, CsvResult>,
  check: RowsCheck,
): AsyncGenerator<Table, CsvResult> {
  try {
    for (;;) {
      const { done, value } = await rows.next();
      if (done) return value;
      check.add(value);
      yield value;
    }
  } finally {
    await rows.return(undefined as never);
  }
}
