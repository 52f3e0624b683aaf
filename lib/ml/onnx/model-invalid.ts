/** A model file that cannot be read, or must not be run. The message is for the one who brought it. */
export class ModelInvalid extends Error {
  override readonly name = "ModelInvalid";
}
