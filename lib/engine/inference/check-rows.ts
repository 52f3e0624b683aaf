import type { Table } from "#lib/contract/table";
import { FaultList } from "#lib/engine/csv/issues";
import { OutsideTally } from "#lib/engine/csv/outside-training";
import { checkInput, FAULTS_MAX, type InputCheck, type InputWarning } from "./check-input.ts";
import type { InputFeature } from "./input-features.ts";

/** What `checkInput` says of a table, of one that comes in parts with the same columns. */
export class InputRowsCheck {
  readonly #features: readonly InputFeature[];
  readonly #target: string;
  readonly #faults: FaultList;
  readonly #tallies: readonly OutsideTally[];
  #unknown: InputWarning[] = [];
  #rowCount: number | null = null;

  constructor(features: readonly InputFeature[], target: string) {
    this.#features = features;
    this.#target = target;
    this.#faults = new FaultList(
      FAULTS_MAX,
      features.map(({ name }) => name),
    );
    this.#tallies = features.map((feature) => new OutsideTally(feature));
  }

  /** Adds the rows that follow. */
  add(part: Table): void {
    const isFirst = this.#rowCount === null;
    const before = this.#rowCount ?? 0;
    const { faults, faultCount, warnings, table } = checkInput(part, this.#features, this.#target, before);
    if (isFirst) {
      this.#unknown = warnings.filter(({ code }) => code === "unknown_column");
      this.#faults.addAll({ faults, count: faultCount });
    } else {
      // A column that is missing is missing in all parts, and was told with the first.
      const ofRows = faults.filter(({ row }) => row !== null);
      const absent = this.#features.length - table.columns.length;
      this.#faults.addAll({ faults: ofRows, count: faultCount - absent });
    }
    const columns = new Map(table.columns.map((column) => [column.name, column]));
    for (const [at, { name }] of this.#features.entries()) {
      const column = columns.get(name);
      if (column !== undefined) this.#tallies[at]!.add(column);
    }
    this.#rowCount = before + part.rowCount;
  }

  /** Of all that were added. */
  get check(): Omit<InputCheck, "table"> {
    const outside = this.#tallies.flatMap(({ warning }) => warning ?? []);
    const { faults, count } = this.#faults;
    return { faults, faultCount: count, warnings: [...outside, ...this.#unknown] };
  }
}
