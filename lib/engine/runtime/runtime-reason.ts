/** Runtime messages about unsupported versions, with advice. */
const VERSIONS: { pattern: RegExp; advice: (found: string, most: string) => string }[] = [
  {
    pattern:
      /Opset (\d+) is under development.*?Current official support for domain [\w.]+ is till opset (\d+)/s,
    advice: (found, most) =>
      `it was exported for operator set ${found}. Operator sets up to ${most} are supported. Export it for one of these.`,
  },
  {
    pattern: /Unsupported model IR version: (\d+), max supported IR version: (\d+)/,
    advice: (found, most) =>
      `it has the IR version ${found}. Versions up to ${most} are supported. Export it with an older version of ONNX.`,
  },
];

/** Matches a source file and line of the runtime, and the signature of the function there. */
const PLACE =
  /(?:\/[\w.+-]+)+\.(?:cc|h|cpp)(?::\d+)?(?: [^(\n]*onnxruntime::[^(\n]*\((?:[^()\n]|\([^()\n]*\))*\)(?: const)?)?/g;

/** Returns the runtime's message for the user who imports the model, without source locations and signatures. */
export function runtimeReason(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause);
  for (const { pattern, advice } of VERSIONS) {
    const [, found, most] = pattern.exec(message) ?? [];
    if (found !== undefined && most !== undefined) return advice(found, most);
  }
  return message.replace(PLACE, "").split("\n", 1)[0]!.trim().slice(0, 500);
}
