import { type LinearModel, predictLinear } from "#lib/engine/learners/linear-design";
import { probabilityOf } from "#lib/engine/learners/log-odds";
import { type Ensemble, leafOf, scoresToPredictions } from "#lib/engine/learners/tree";
import type { PanelLearner } from "#lib/engine/panel-model/panel-learner";
import { type EnsembleProgram, evaluatorOf, evaluatorOfProgram } from "#lib/engine/trees/evaluate-ensemble";
import type { BlendLearner, FeatureLearner, SingleLearner } from "./learner.ts";

/** Function that predicts each row from the model inputs. */
export type Evaluate = (columns: Float32Array[], rowCount: number) => Float64Array;

/** A learner as plain data, ready for evaluation: it can be sent to another thread. */
export type PlainLearner = PlainSingleLearner | BlendLearner<PlainSingleLearner> | PanelLearner;
export type PlainSingleLearner = SingleLearner | CompiledTrees;

type CompiledTrees = Pick<Ensemble, "link" | "center" | "scale" | "base"> & {
  kind: "compiled";
  program: EnsembleProgram;
};

/**
 * Prepares a learner for repeated evaluation. Trees add up in float32 in a fixed order, so that a row has the same
 * bits in every process. All other sums use float64.
 */
export function evaluatorOfLearner(learner: FeatureLearner): Evaluate {
  if (learner.kind === "linear") return (columns, rowCount) => evaluateLinear(learner, columns, rowCount);
  const compiled = evaluatorOf({ ensemble: learner, nonNegative: false });
  return compiled
    ? (columns, rowCount) => scoresToPredictions(learner, compiled.predict(columns, rowCount), columns)
    : (columns, rowCount) => scoresToPredictions(learner, addTrees(learner, columns, rowCount), columns);
}

/** Prepares trees that another thread compiled. Returns null if the process cannot allocate more memory. */
export function evaluatorOfCompiled(learner: CompiledTrees): Evaluate | null {
  const compiled = evaluatorOfProgram(learner.program);
  return (
    compiled &&
    ((columns, rowCount) => scoresToPredictions(learner, compiled.predict(columns, rowCount), columns))
  );
}

/** Returns the learner with compiled trees, or unchanged if its trees cannot be compiled. */
export function plainLearner(learner: FeatureLearner): PlainSingleLearner {
  if (learner.kind === "linear") return learner;
  const program = evaluatorOf({ ensemble: learner, nonNegative: false })?.program();
  if (!program) return learner;
  const { link, center, scale, base } = learner;
  return {
    kind: "compiled",
    program,
    ...(link && { link }),
    ...(scale !== undefined && { center, scale }),
    ...(base && { base }),
  } as CompiledTrees;
}

function evaluateLinear(model: LinearModel, columns: Float32Array[], rowCount: number): Float64Array {
  return columns.length > 0
    ? predictLinear(model, columns)
    : new Float64Array(rowCount).fill(model.intercept);
}

/** Evaluates trees that cannot be compiled, bit-identical to compiled trees. */
function addTrees(ensemble: Ensemble, columns: Float32Array[], rowCount: number): Float64Array {
  const sums = new Float32Array(rowCount);
  for (const tree of ensemble.trees) {
    for (let row = 0; row < rowCount; row++) sums[row]! += tree.value[leafOf(tree, columns, row)]!;
  }
  return Float64Array.from(sums, (sum) => Math.fround(sum + ensemble.baseValue));
}

/** Converts a learner's values to predictions, in place: log-odds to probabilities, others to at least the floor. */
export function toPredictions(
  { floor, isOfClasses }: { floor: number | null; isOfClasses: boolean },
  values: Float64Array,
): Float64Array {
  if (!isOfClasses) return atLeast(floor, values);
  for (let row = 0; row < values.length; row++) values[row] = probabilityOf(values[row]!);
  return values;
}

/** Raises values below the floor to the floor, in place. */
export function atLeast(floor: number | null, values: Float64Array): Float64Array {
  if (floor === null) return values;
  for (let row = 0; row < values.length; row++) if (values[row]! < floor) values[row] = floor;
  return values;
}
