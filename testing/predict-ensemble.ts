import { addTree, type Ensemble, scoresToPredictions } from "#lib/engine/learners/tree";

/** Returns the ensemble's predictions, summed in float64. `columns` holds `featureCount` columns of equal length. */
export function predictEnsemble(ensemble: Ensemble, columns: Float32Array[]): Float64Array {
  const scores = new Float64Array(columns[0]?.length ?? 0).fill(ensemble.baseValue);
  for (const tree of ensemble.trees) addTree(tree, columns, scores);
  return scoresToPredictions(ensemble, scores, columns);
}
