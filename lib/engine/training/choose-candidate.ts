import { FAMILY_METHODS, type Family } from "#lib/engine/inference/learner";
import type { CandidateSpec } from "./candidate.ts";

/**
 * Errors of a candidate by fold, the latest last, and the number of rows that each fold learned from. Empty if it was the
 * only candidate.
 */
export type Scored = { scores: number[]; learned: number[] };
type Candidate = CandidateSpec & Scored;

/** Margin by which lags must win: a model without lags is simpler, and predicts each row on its own. */
const LAGS_MARGIN = 0.02;
/** Margin by which a candidate must beat a simpler one, or the default. */
const MARGIN = 0.003;
/** The same for settings in time order: three origins predict the next one less well than random folds do. */
const SETTINGS_MARGIN = 0.05;
/** Margin by which another family must beat the combination: the error of three origins varies by about that much. */
const COMBINATION_MARGIN = 0.25;
/** Margin by which a single series method must beat the combination. */
const METHOD_MARGIN = 0.02;
/** Margin by which a candidate that ignores the inputs must win: its scenarios do not respond to what-ifs. */
const INPUTS_MARGIN = 0.1;

/** Returns whether a family is a naive forecast: it needs no model and is the reference for the others. */
export const isNaive = (family: Family) => family === "seasonal_naive" || family === "mean";

/** Returns whether predictions respond to the inputs of a row. */
export function usesInputs({ family, set }: Pick<CandidateSpec, "family" | "set">): boolean {
  if (FAMILY_METHODS[family]) return set.withInputs === true;
  return !isNaive(family) && family !== "drift";
}

/** Chooses the feature set of a family. The simplest comes first; for series methods, the one with inputs. */
export function chooseSet<T extends Candidate>(family: Family, candidates: readonly T[]): T {
  if (FAMILY_METHODS[family]) return candidates.reduce(unlessClear);
  return best(candidates, family === "seasonal_naive" || family === "drift" ? 0 : LAGS_MARGIN);
}

/** Chooses the settings of a family; the default comes first. */
export function chooseSettings<T extends Candidate>(candidates: readonly T[], order: "time" | "random"): T {
  return best(candidates, order === "time" ? SETTINGS_MARGIN : MARGIN);
}

/**
 * Chooses the final family. If the naive forecast is a candidate, families that lose to it are out. A family that uses
 * the inputs is out only if it loses clearly (`unlessClear`). A family that ignores the inputs, as the naive forecast
 * does, must clearly beat those that use them.
 */
export function chooseFamily<T extends Candidate>(
  finalists: readonly T[],
  naive: T | undefined,
  hasInputs: boolean,
): T {
  const losesToNaive = (one: T): boolean => {
    if (!naive || meanError(one) <= meanError(naive)) return false;
    return hasInputs && usesInputs(one) ? unlessClear(one, naive) === naive : true;
  };
  const eligible = finalists.filter((one) => !losesToNaive(one));
  const candidates = eligible.length > 0 ? eligible : finalists;
  if (!hasInputs) return preferCombination(candidates, COMBINATION_MARGIN)!;
  const using = preferCombination(candidates.filter(usesInputs), COMBINATION_MARGIN);
  const ignoring = preferCombination(
    candidates.filter((one) => !usesInputs(one)),
    COMBINATION_MARGIN,
  );
  return using && ignoring ? unlessClear(using, ignoring) : (using ?? ignoring)!;
}

/**
 * Returns the candidate that uses the inputs, unless the one that ignores them wins by the margin and by more than one
 * standard error of the difference between folds (Breiman et al. 1984, section 3.4.3): single folds must not decide
 * whether what-ifs have an effect.
 */
export function unlessClear<T extends Candidate>(using: T, ignoring: T): T {
  const gains = using.scores.map((score, fold) => score - ignoring.scores[fold]!);
  const mean = gains.reduce((sum, gain) => sum + gain, 0) / gains.length;
  const squares = gains.reduce((sum, gain) => sum + (gain - mean) ** 2, 0);
  const standardError = Math.sqrt(squares / Math.max(1, gains.length - 1) / gains.length);
  // An infinite error has no standard error, and loses to any other.
  const isClear = !(meanError(using) - meanError(ignoring) <= standardError);
  return isClear ? best([using, ignoring], INPUTS_MARGIN) : using;
}

/**
 * Returns the combination of series methods unless another candidate beats it by the margin: combinations err less than
 * their members. A single method needs only a small margin, because it is a candidate only for the targets that it is made
 * for (`suits`). Returns undefined without candidates.
 */
function preferCombination<T extends Candidate>(candidates: readonly T[], margin: number): T | undefined {
  const isMethod = ({ family }: T) => FAMILY_METHODS[family] !== undefined;
  const methods = candidates.filter(isMethod).toSorted((a, b) => order(a) - order(b));
  const rest = candidates.filter((one) => !isMethod(one));
  const kept = methods.length > 0 ? best(methods, METHOD_MARGIN) : undefined;
  if (rest.length === 0) return kept;
  const other = best(rest, MARGIN);
  return kept ? best([kept, other], margin) : other;
}

const order = ({ family }: Candidate) => (family === "combination" ? 0 : 1);

/** Returns the candidate with the least mean error; an earlier one stays unless a later one beats it by the margin. */
function best<T extends Candidate>(candidates: readonly T[], margin: number): T {
  return candidates.reduce((kept, next) => (meanError(next) < meanError(kept) * (1 - margin) ? next : kept));
}

/**
 * Returns the mean error over the folds, weighted by the rows that each learned from, because the final model learns from
 * more rows than any fold.
 */
export function meanError({ scores, learned }: Scored): number {
  const weight = learned.reduce((sum, rows) => sum + rows, 0);
  return scores.reduce((sum, score, fold) => sum + score * learned[fold]!, 0) / Math.max(1, weight);
}
