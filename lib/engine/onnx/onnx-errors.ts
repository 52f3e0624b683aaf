import type { OutputOption } from "#lib/contract/import-model";
import { limits } from "#lib/contract/limits";

/** A model file that cannot be read, or must not be run. The message is for the user who sent the file. */
export class ModelInvalid extends Error {
  override readonly name = "ModelInvalid";
  /** Whether only the cause, which goes to the log, has the reason. The user then needs the request ID. */
  readonly isReasonLogged: boolean;
  /** Outputs to choose from, if the error asks for a choice. */
  readonly outputOptions: OutputOption[] | undefined;
  /** Value that the model rejects: row, starting at 1, and column of its input. */
  readonly place: { row: number; column: string } | undefined;

  constructor(
    message: string,
    {
      cause,
      isReasonLogged = false,
      outputOptions,
      place,
    }: {
      cause?: unknown;
      isReasonLogged?: boolean;
      outputOptions?: OutputOption[] | undefined;
      place?: { row: number; column: string } | undefined;
    } = {},
  ) {
    super(message, { cause });
    this.isReasonLogged = isReasonLogged;
    this.outputOptions = outputOptions;
    this.place = place;
  }

  /** Compares by name: the web process has two copies of this class, one in the Next.js bundle and one in the sources. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === "ModelInvalid";
  }
}

export type OnnxIssue = {
  code:
    | "external_data"
    | "unknown_operator"
    | "training_info"
    | "tensor_size"
    | "no_input"
    | "input_unsupported"
    | "no_numeric_output";
  message: string;
};

/** Collects distinct issues up to a limit. An invalid file may have thousands. */
export class IssueList {
  readonly list: OnnxIssue[] = [];
  readonly #known = new Set<string>();

  add(code: OnnxIssue["code"], message: string): void {
    if (this.list.length === limits.errorDetails || this.#known.has(message)) return;
    this.#known.add(message);
    this.list.push({ code, message });
  }
}
