/** What the runtime says of versions that it does not know, in its own words, and what to do about it. */
const VERSIONS: { told: RegExp; advice: (found: string, most: string) => string }[] = [
  {
    told: /Opset (\d+) is under development.*?Current official support for domain [\w.]+ is till opset (\d+)/s,
    advice: (found, most) =>
      `it was exported for operator set ${found}; operator sets up to ${most} are supported. Export it for one of these.`,
  },
  {
    told: /Unsupported model IR version: (\d+), max supported IR version: (\d+)/,
    advice: (found, most) =>
      `it has the IR version ${found}; versions up to ${most} are supported. Export it with an older version of ONNX.`,
  },
];

/** A file and line of its source, and the signature of the function there. */
const PLACE =
  /(?:\/[\w.+-]+)+\.(?:cc|h|cpp)(?::\d+)?(?: [^(\n]*onnxruntime::[^(\n]*\((?:[^()\n]|\([^()\n]*\))*\)(?: const)?)?/g;

/** The runtime's message for the one who brought the model: without places and signatures of its own source code. */
export function runtimeReason(cause: unknown): string {
  const message = cause instanceof Error ? cause.message : String(cause);
  for (const { told, advice } of VERSIONS) {
    const [, found, most] = told.exec(message) ?? [];
    if (found !== undefined && most !== undefined) return advice(found, most);
  }
  return message.replace(PLACE, "").split("\n", 1)[0]!.trim().slice(0, 500);
}
