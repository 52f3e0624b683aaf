import type { Table } from "#lib/contract/table";
import { IssueList } from "#lib/engine/csv/issues";
import type { OffDateTally } from "#lib/engine/csv/off-date";
import { OutsideTally } from "#lib/engine/csv/outside-training";
import { checkInput, type InputCheck, type InputWarning, offDateTally } from "./check-input.ts";
import type { InputFeature } from "./input-features.ts";

/**
 * Runs `checkInput` on a table that arrives in parts with the same columns. The result equals that of the whole
 * table.
 */
export class InputRowsCheck {
  readonly #features: readonly InputFeature[];
  readonly #target: string;
  readonly #issues: IssueList;
  readonly #tallies: readonly OutsideTally[];
  readonly #offDate: OffDateTally;
  #unknown: InputWarning[] = [];
  #rowCount: number | null = null;

  constructor(features: readonly InputFeature[], target: string) {
    this.#features = features;
    this.#target = target;
    this.#issues = new IssueList(features.map(({ name }) => name));
    this.#tallies = features.map((feature) => new OutsideTally(feature));
    this.#offDate = offDateTally(features);
  }

  /** Adds the next rows. */
  add(part: Table): void {
    const isFirst = this.#rowCount === null;
    const before = this.#rowCount ?? 0;
    const { issues, issueCount, warnings, table } = checkInput(part, this.#features, this.#target, before);
    if (isFirst) {
      this.#unknown = warnings.filter(({ code }) => code === "unknown_column");
      this.#issues.addAll({ issues, count: issueCount });
    } else {
      // A missing column is missing in all parts; the first part has already reported it.
      const ofRows = issues.filter(({ row }) => row !== null);
      const absent = this.#features.length - table.columns.length;
      this.#issues.addAll({ issues: ofRows, count: issueCount - absent });
    }
    this.#offDate.add(table);
    const columns = new Map(table.columns.map((column) => [column.name, column]));
    for (const [at, { name }] of this.#features.entries()) {
      const column = columns.get(name);
      if (column !== undefined) this.#tallies[at]!.add(column);
    }
    this.#rowCount = before + part.rowCount;
  }

  /** Returns the check of all rows added so far. */
  get check(): Omit<InputCheck, "table"> {
    const outside = this.#tallies.flatMap(({ warning }) => warning ?? []);
    const { issues, count } = this.#issues;
    return { issues, issueCount: count, warnings: [...outside, ...this.#offDate.warnings, ...this.#unknown] };
  }
}
