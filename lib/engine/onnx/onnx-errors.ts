/** A model file that cannot be read, or must not be run. The message is for the one who brought it. */
export class ModelInvalid extends Error {
  override readonly name = "ModelInvalid";

  /** By name: the web process has two copies of this class, that of Next.js' bundle and its own sources'. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === "ModelInvalid";
  }
}
