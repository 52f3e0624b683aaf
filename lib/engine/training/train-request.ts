import type { ExtraFeatures, RollingRequest } from "#lib/engine/features/fit-pipeline";
import type { HolidayPlace } from "#lib/engine/features/holiday-days";
import type { Family, Hyperparameters } from "#lib/engine/inference/learner";
import type { TargetMetric } from "#lib/engine/inference/model-files";
import type { RowOrder } from "#lib/engine/learners/linear-design";

/** Training options of the caller; every field has a default. */
export type TrainRequest = {
  /** By default `classification` for a target of booleans or of two texts. */
  task?: "regression" | "classification" | undefined;
  algorithm?: "auto" | Family | undefined;
  targetMetric?: TargetMetric | undefined;
  features?:
    | (Omit<ExtraFeatures, "holidays"> & {
        lags?: number[] | undefined;
        rolling?: RollingRequest[] | undefined;
        calendar?: boolean | undefined;
        /** False: no model uses the inputs. True: no series method ignores them. */
        inputs?: boolean | undefined;
        holidays?: HolidayPlace | undefined;
      })
    | undefined;
  validation?: { fraction?: number | undefined; order?: RowOrder | undefined } | undefined;
  /** Forecast horizon in steps. */
  horizon?: number | undefined;
  hyperparameters?: Hyperparameters | undefined;
  seed?: number | undefined;
};
