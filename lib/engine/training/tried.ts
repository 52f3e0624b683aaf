import type { OutOfSample } from "#lib/engine/inference/out-of-sample-file";
import type { CandidateSpec } from "./candidate.ts";
import type { Scored } from "./choose-candidate.ts";

/** A candidate with the results of its back-tests in the last rung that it reached. */
export type Tried = CandidateSpec &
  Scored & {
    rung: number;
    /** Predictions of the test rows of its folds. */
    backTests: OutOfSample[];
    seconds: number;
  };

/** Returns a candidate without back-tests. */
export const untried = (spec: CandidateSpec): Tried => ({
  ...spec,
  scores: [],
  learned: [],
  rung: 0,
  backTests: [],
  seconds: 0,
});
