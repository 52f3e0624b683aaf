/** Why a model predicts what it does: for each row, `baseValue` + the sum of its values is the prediction. */
export type Contributions = {
  /** The prediction for a row of which nothing is known. */
  baseValue: number;
  /** Per row, one value for each of the model's features, in the target's unit. */
  values: Float64Array[];
};
