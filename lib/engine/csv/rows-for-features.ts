import type { Table } from "#lib/contract/table";
import { type CsvCheck, type ExpectedFeature, RowsCheck } from "./check-against.ts";
import type { CsvOptions, CsvResult } from "./options.ts";
import { type FeatureFormat, readingOf } from "./read-for-features.ts";

/**
 * What `readForFeatures` does, of a file whose rows need not lie in memory all at once: gives out the rows as they are read,
 * then the check of all of them. Where it finds faults, nothing of what was given out may be used.
 *
 * @param read gives out the rows that it takes while it reads the file from its start; may be asked twice
 */
export async function* rowsForFeatures(
  read: (options: CsvOptions) => AsyncGenerator<Table, CsvResult>,
  features: readonly ExpectedFeature[],
  format: FeatureFormat,
): AsyncGenerator<Table, CsvCheck> {
  const { wanted, series, options, optionsWithout } = readingOf(features, format);
  const check = new RowsCheck(wanted, { series });
  const both = yield* checked(read(options), check);
  // A date and an hour are joined once all rows are read, so nothing has been given out.
  const without = optionsWithout(both);
  if (without === null) {
    yield both.table;
    return check.finish(both);
  }
  const checkAgain = new RowsCheck(wanted, { series });
  const file = yield* checked(read(without), checkAgain);
  yield file.table;
  return checkAgain.finish(file);
}

async function* checked(
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
