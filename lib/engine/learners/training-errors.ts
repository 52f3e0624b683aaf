/** Thrown by a trainer when `shouldStop` returns true. No result is kept. */
export class TrainingCancelled extends Error {
  override readonly name = "TrainingCancelled";
  constructor() {
    super("Training was cancelled.");
  }
}

/** No model can be learned from this data as it was asked for. The message says why and what would help. */
export class TrainingImpossible extends Error {
  override name = "TrainingImpossible";
}
