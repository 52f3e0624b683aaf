import type { Column, Table } from "#lib/contract/table";
import type { TrainModel } from "#lib/contract/train-model";

/** Rows to learn from, and the training request. */
export type FitInput = {
  /** Target, timestamp and inputs; columns that must not be used are left out. */
  table: Table;
  target: string;
  timestamp: string | null;
  /** Names of the series columns, whose values divide the rows into series; absent for one series. */
  series?: readonly string[] | undefined;
  /** ISO 8601 duration; detected from the timestamps if null or absent. */
  frequency?: string | null | undefined;
  timezone?: string | undefined;
  request?: TrainModel | undefined;
  /** Predictions of upstream projects, one value per row of the table; `generated`: as if their inputs were generated. */
  upstream?: { column: Column; generated?: Column | undefined; sourceProjectId: string }[] | undefined;
};
