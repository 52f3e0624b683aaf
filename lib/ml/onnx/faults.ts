export type OnnxFault = {
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

const MOST = 100;

/** Collects faults, each once; a rubbish file may have thousands. */
export class FaultList {
  readonly list: OnnxFault[] = [];
  readonly #known = new Set<string>();

  add(code: OnnxFault["code"], message: string): void {
    if (this.list.length === MOST || this.#known.has(message)) return;
    this.#known.add(message);
    this.list.push({ code, message });
  }
}
