import type { ExpectedFeature } from "#lib/engine/csv/check-against";
import type { CsvOptions } from "#lib/engine/csv/options";
import type { FeatureFormat } from "#lib/engine/csv/read-for-features";
import type { DatasetEnd } from "#lib/engine/csv/time-order";
import type { SeriesOptions } from "#lib/engine/features/resample";

/** Way to read a file: for a new dataset, whose rows may be in any order, or as input of features with known ranges. */
export type Reading = {
  /** How rows become a series; absent if the file's rows stay as they are. */
  series?: SeriesOptions & { target: string; seriesColumns?: string[] };
} & (
  | { options: CsvOptions }
  | {
      features: readonly ExpectedFeature[];
      format: FeatureFormat;
      /** Whether rows may be in any order. */
      anyOrder?: boolean;
      /** End of the dataset that the rows are added to. */
      after?: DatasetEnd | null;
      /**
       * Whether the service accepts more values than the browser checks. If so, the preview covers the first rows;
       * otherwise the file is rejected.
       */
      mayBeLonger?: boolean;
    }
);
