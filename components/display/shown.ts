import { formatColumn, formatDecimals, formatNumber, formatSigned } from "#components/ui/format.ts";
import type { Project } from "#lib/contract/projects";
import { proposeDisplay } from "#lib/contract/propose-display";

type Value = number | null | undefined;

/** Name, unit and number format of a column. */
export class Shown {
  readonly name: string;
  readonly unit: string | null;
  readonly decimals: number | null;
  /** Formats a value without its unit. */
  readonly format: (value: Value) => string;

  constructor(name: string, unit: string | null = null, decimals: number | null = null) {
    this.name = name;
    this.unit = unit;
    this.decimals = decimals;
    this.format = decimals === null ? formatNumber : formatDecimals(decimals);
  }

  /** Name with the unit: "Demand (MWh)". */
  get title(): string {
    return this.head(this.name);
  }

  /** Adds the unit to the heading of values: "Mean (MWh)". */
  head(text: string): string {
    return this.unit === null ? text : `${text} (${this.unit})`;
  }

  /** Adds the unit to formatted values: "12.5 MWh". */
  withUnit(text: string): string {
    return this.unit === null || text === "–" ? text : `${text} ${this.unit}`;
  }

  /** Formats a value with its unit. */
  text(value: Value): string {
    return this.withUnit(this.format(value));
  }

  /** Formats a difference with its sign, without the unit. */
  signed(value: Value): string {
    return formatSigned(value, this.format);
  }

  /** Returns the format of a table's column. */
  formatOf(values: readonly Value[]): (value: Value) => string {
    return this.decimals === null ? formatColumn(values) : this.format;
  }

  /** Returns the format of an axis: the column's, unless its decimals would misstate a tick. */
  tickFormat(ticks: readonly number[]): (value: number) => string {
    const step = Math.abs((ticks[1] ?? 1) - (ticks[0] ?? 0));
    const unit = 10 ** -(this.decimals ?? 0);
    const isExact = (tick: number) => Math.abs(tick - Math.round(tick / unit) * unit) < step / 1_000;
    return this.decimals !== null && ticks.every(isExact) ? this.format : formatNumber;
  }
}

/** Returns how a column is shown. */
export type Displays = (column: string) => Shown;

/** Returns the displays of a project: what admins set, and otherwise the proposals. */
export function displaysOf({ display, units }: Pick<Project, "display" | "units">): Displays {
  const known = new Map<string, Shown>();
  return (column) => {
    const shown = known.get(column) ?? shownOf(column, ownOf(display, column), ownOf(units, column));
    known.set(column, shown);
    return shown;
  };
}

/** Returns a field of an object whose keys are column names, such as `constructor`. */
export const ownOf = <T>(columns: Readonly<Record<string, T>>, column: string): T | undefined =>
  Object.hasOwn(columns, column) ? columns[column] : undefined;

function shownOf(column: string, set: Project["display"][string] | undefined, known: string | undefined) {
  const proposed = proposeDisplay(column, known);
  const unit = set?.unit ?? proposed.unit;
  return new Shown(
    set?.displayName ?? proposed.displayName,
    unit === "" ? null : unit,
    set?.decimals ?? null,
  );
}

export const proposedDisplays = displaysOf({ display: {}, units: {} });
