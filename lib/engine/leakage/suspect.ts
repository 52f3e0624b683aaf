/** Columns that a model should not use unless the user knows better, and the reason. */
export type Suspect =
  | {
      kind: "equals_target";
      columns: string[];
      /** Sum or difference of the columns: "casual + registered". */
      formula: string;
      matchingRows: number;
      comparedRows: number;
    }
  /** R² of predictions of the target from this column alone, on rows that the prediction had not seen. */
  | { kind: "explains_target"; columns: [string]; r2: number; comparedRows: number }
  /** Names or numbers the rows. */
  | { kind: "identifier"; columns: [string]; distinct: number; comparedRows: number }
  /** Empty in the newest rows; `last` is the index of the last row with a value. */
  | { kind: "empty_in_newest_rows"; columns: [string]; newestRows: number; last: number };
