import { type LinearModel, predictLinear } from "#lib/engine/learners/linear-design";
import { type Ensemble, leafOf, scoresToPredictions } from "#lib/engine/learners/tree";
import { type EnsembleProgram, evaluatorOf, evaluatorOfProgram } from "#lib/engine/trees/evaluate-ensemble";
import type { Learner } from "#lib/ml/model/learner";

/** Model inputs in, one prediction a row out. */
export type Evaluate = (columns: Float32Array[], rowCount: number) => Float64Array;

/** A learner as plain data that is ready to be evaluated: what can go to a thread. */
export type PlainLearner = LinearModel | Ensemble | CompiledTrees;

type CompiledTrees = Pick<Ensemble, "link" | "center" | "scale"> & {
  kind: "compiled";
  program: EnsembleProgram;
};

/**
 * Prepares a learner to be evaluated many times. Trees add up in float32, in the same order everywhere, so that a row
 * has the same bits in every process; all else is float64.
 */
export function evaluatorOfLearner(learner: Learner): Evaluate {
  if (learner.kind === "linear") return (columns, rowCount) => evaluateLinear(learner, columns, rowCount);
  const compiled = evaluatorOf({ ensemble: learner, nonNegative: false });
  return compiled
    ? (columns, rowCount) => scoresToPredictions(learner, compiled.predict(columns, rowCount))
    : (columns, rowCount) => scoresToPredictions(learner, addTrees(learner, columns, rowCount));
}

/** The same of what another thread made ready; null where the process can have no more memory. */
export function evaluatorOfPlain(learner: PlainLearner): Evaluate | null {
  if (learner.kind !== "compiled") return evaluatorOfLearner(learner);
  const compiled = evaluatorOfProgram(learner.program);
  return (
    compiled && ((columns, rowCount) => scoresToPredictions(learner, compiled.predict(columns, rowCount)))
  );
}

/** The learner with its trees compiled, where they can be. */
export function plainLearner(learner: Learner): PlainLearner {
  if (learner.kind === "linear") return learner;
  const program = evaluatorOf({ ensemble: learner, nonNegative: false })?.program();
  if (!program) return learner;
  const { link, center, scale } = learner;
  return {
    kind: "compiled",
    program,
    ...(link && { link }),
    ...(scale !== undefined && { center, scale }),
  } as CompiledTrees;
}

function evaluateLinear(model: LinearModel, columns: Float32Array[], rowCount: number): Float64Array {
  return columns.length > 0
    ? predictLinear(model, columns)
    : new Float64Array(rowCount).fill(model.intercept);
}

/** Does what the compiled trees do, to the bit, for trees that cannot be compiled. */
function addTrees(ensemble: Ensemble, columns: Float32Array[], rowCount: number): Float64Array {
  const sums = new Float32Array(rowCount);
  for (const tree of ensemble.trees) {
    for (let row = 0; row < rowCount; row++) sums[row]! += tree.value[leafOf(tree, columns, row)]!;
  }
  return Float64Array.from(sums, (sum) => Math.fround(sum + ensemble.baseValue));
}

/** Raises what lies below the floor to it, in place. */
export function atLeast(floor: number | null, values: Float64Array): Float64Array {
  if (floor === null) return values;
  for (let row = 0; row < values.length; row++) if (values[row]! < floor) values[row] = floor;
  return values;
}
