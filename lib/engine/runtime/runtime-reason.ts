import type { OutputOption } from "#lib/contract/import-model";
import { ModelInvalid } from "#lib/engine/onnx/onnx-errors";

/** Runtime messages about unsupported versions, with advice. */
const VERSIONS: { pattern: RegExp; advice: (found: string, most: string) => string }[] = [
  {
    pattern:
      /Opset (\d+) is under development.*?Current official support for domain [\w.]+ is till opset (\d+)/s,
    advice: (version, most) =>
      `it was exported for operator set ${version}. Operator sets up to ${most} are supported. Export it for one of these.`,
  },
  {
    pattern: /Unsupported model IR version: (\d+), max supported IR version: (\d+)/,
    advice: (version, most) =>
      `it has the IR version ${version}. Versions up to ${most} are supported. Export it with an older version of ONNX.`,
  },
];

/** Matches a source file and line of the runtime, and the signature of the function there. */
const PLACE =
  /(?:\/[\w.+-]+)+\.(?:cc|h|cpp)(?::\d+)?(?: [^(\n]*onnxruntime::[^(\n]*\((?:[^()\n]|\([^()\n]*\))*\)(?: const)?)?/g;

/** Failure in a process that has no log: `detail` is for the log of the parent. */
export type Rejection = {
  reason: string;
  detail?: string;
  /** Outputs to choose from, if the failure asks for a choice. */
  outputOptions?: OutputOption[] | undefined;
  place?: ModelInvalid["place"];
};

/** Returns the error of a model that its runtime rejects. @param what the failed action, such as "cannot be run" */
export function runtimeError(what: string, cause: unknown): ModelInvalid {
  if (cause instanceof ModelInvalid) return cause;
  const reason = runtimeReason(cause);
  if (reason !== null) return new ModelInvalid(`The model ${what}: ${reason}`, { cause });
  const message = `The model ${what}: its runtime failed in an unexpected way. Export the model again.`;
  return new ModelInvalid(message, { cause, isReasonLogged: true });
}

/** Returns an error as a message for another process. */
export function rejectionOf({
  message,
  cause,
  isReasonLogged,
  outputOptions,
  place,
}: ModelInvalid): Rejection {
  return {
    reason: message,
    ...(outputOptions && { outputOptions }),
    ...(place && { place }),
    ...(isReasonLogged && { detail: String((cause as Error | undefined)?.stack ?? cause) }),
  };
}

/** Returns the error of a message from another process. */
export function rejected({ reason, detail, ...place }: Rejection): ModelInvalid {
  return new ModelInvalid(reason, { cause: detail, isReasonLogged: detail !== undefined, ...place });
}

/**
 * Returns the runtime's message for the user who imports the model, without source locations and signatures. Returns
 * null for an error of JavaScript or of the system, whose text says nothing about the model.
 */
function runtimeReason(cause: unknown): string | null {
  if (!(cause instanceof Error) || cause.name !== "Error" || "code" in cause) return null;
  const { message } = cause;
  for (const { pattern, advice } of VERSIONS) {
    const [, version, most] = pattern.exec(message) ?? [];
    if (version !== undefined && most !== undefined) return advice(version, most);
  }
  const line = message.replace(PLACE, "").split("\n", 1)[0]!.trim().slice(0, 500);
  return /[.!?)]$/.test(line) ? line : `${line}.`;
}
