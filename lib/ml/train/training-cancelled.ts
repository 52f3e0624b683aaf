/** Thrown by a trainer whose `shouldStop` said yes. Nothing has been kept. */
export class TrainingCancelled extends Error {
  override readonly name = "TrainingCancelled";
  constructor() {
    super("Training was cancelled.");
  }
}
