export type EnvironmentFault = { variable: string; message: string };

/** The environment holds values that the service cannot start with; `message` is one sentence a fault. */
export class EnvironmentError extends Error {
  readonly faults: readonly EnvironmentFault[];

  constructor(faults: readonly EnvironmentFault[]) {
    super(faults.map((fault) => fault.message).join("\n"));
    this.name = "EnvironmentError";
    this.faults = faults;
  }
}
