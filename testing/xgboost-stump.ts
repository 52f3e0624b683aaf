/** A tree in XGBoost's JSON: below .5 and for missing values the leaf -1, otherwise the leaf 2. It splits the first feature. */
export const xgboostStump = {
  left_children: [1, -1, -1],
  right_children: [2, -1, -1],
  split_indices: [0, 0, 0],
  split_conditions: [0.5, -1, 2],
  default_left: [1, 0, 0],
  sum_hessian: [10, 4, 6],
};
