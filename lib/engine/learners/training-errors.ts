/** No model can be learned from this data as it was asked for. The message says why and what would help. */
export class TrainingImpossible extends Error {
  override name = "TrainingImpossible";
}
