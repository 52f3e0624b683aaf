/** Thrown by a trainer when `shouldStop` returns true. No result is kept. */
export class TrainingCancelled extends Error {
  override readonly name = "TrainingCancelled";
  constructor() {
    super("Training was cancelled.");
  }
}

/** The data and the request allow no model. The message contains the reason and the remedy. */
export class TrainingImpossible extends Error {
  override name = "TrainingImpossible";
}
