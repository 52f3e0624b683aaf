import { type inferParserType, parseAsArrayOf, parseAsString, parseAsStringLiteral } from "nuqs/server";
import type { CheckpointDetail } from "#lib/contract/checkpoints";
import type { Dataset } from "#lib/contract/datasets";
import { combinations } from "#lib/contract/series-query";

/** Choice among many series in the URL of a page: `column:value` restrictions, from coarse to fine, and how to show their parts. */
export const panelParsers = {
  where: parseAsArrayOf(parseAsString).withDefault([]),
  /** Column to split by. */
  by: parseAsString,
  /** Whether parts are ranked bars or small charts. */
  parts: parseAsStringLiteral(["bars", "charts"]).withDefault("bars"),
  /** Whether parts are sums or means of their series. */
  combine: parseAsStringLiteral(combinations).withDefault("sum"),
  /** Input column that weighs means. */
  weight: parseAsString,
};

export type PanelChoice = inferParserType<typeof panelParsers>;
/** The part of a choice that leads to other series. */
type Place = Pick<PanelChoice, "where" | "by">;

/** Step of the path from all series to one: the value of a column. */
export type PanelStep = { column: string; value: string };

const textOf = ({ column, value }: PanelStep) => `${column}:${value}`;

/** Column that forms groups, and the columns whose value each of its groups determines: a store lies in one region. */
export type PanelColumn = { name: string; within: readonly string[] };

/** Returns the columns that form groups, from few groups to many; empty for one series. */
export function panelColumns(series: Dataset["series"] | undefined): PanelColumn[] {
  return (series?.levels ?? [])
    .filter(({ columns }) => columns.length === 1)
    .toSorted((a, b) => a.count - b.count)
    .map(({ columns, within = [] }) => ({ name: columns[0]!, within }));
}

/** Returns the steps of a choice. Ignores restrictions of columns that are not known. */
export function stepsOf({ where }: Pick<PanelChoice, "where">, columns: readonly PanelColumn[]): PanelStep[] {
  const longestFirst = columns.map(({ name }) => name).sort((a, b) => b.length - a.length);
  return where.flatMap((text) => {
    const column = longestFirst.find((name) => text.startsWith(`${name}:`));
    return column === undefined ? [] : { column, value: text.slice(column.length + 1) };
  });
}

/** Returns the columns by which the chosen series can be split: those whose value no step of the path determines. */
export function splitColumns(choice: Pick<PanelChoice, "where">, columns: readonly PanelColumn[]): string[] {
  const taken = new Set(stepsOf(choice, columns).map(({ column }) => column));
  const known = new Set(columns.flatMap(({ name, within }) => (taken.has(name) ? [name, ...within] : [])));
  return columns.map(({ name }) => name).filter((name) => !known.has(name));
}

/**
 * Returns the column by which the chosen series are split: the one of the URL, or the next finer one of the newest step, or the one
 * with the fewest groups. For example, a region opens by its stores although there are fewer items, and a store by its items.
 */
export function splitBy(choice: Place, columns: readonly PanelColumn[]): string | null {
  const possible = splitColumns(choice, columns);
  const finer = stepsOf(choice, columns)
    .toReversed()
    .flatMap(({ column }) => columns.filter(({ within }) => within.includes(column)))
    .map(({ name }) => name);
  const [first] = [choice.by, ...finer].filter((name) => name !== null && possible.includes(name));
  return first ?? possible[0] ?? null;
}

/** Returns the choice of one group of the present choice, which is then split by the next column. */
export function openGroup(choice: Place, step: PanelStep, columns: readonly PanelColumn[]): Place {
  const kept = stepsOf(choice, columns).filter(({ column }) => column !== step.column);
  return { where: [...kept, step].map(textOf), by: null };
}

/** Returns the choice after the first `count` steps of the path. */
export function backTo(choice: Place, count: number, columns: readonly PanelColumn[]): Place {
  return { where: stepsOf(choice, columns).slice(0, count).map(textOf), by: null };
}

/**
 * Returns the numeric inputs that can weigh series in all of the models: those without negative values. For example, prices and
 * numbers of customers, but not temperatures.
 */
export function weightColumns(models: readonly Pick<CheckpointDetail, "inputFeatures">[]): string[] {
  const [first = [], ...others] = models.map(({ inputFeatures }) =>
    inputFeatures
      .filter(
        ({ type, role, min, max }) =>
          type === "number" && role === "input" && min !== null && min >= 0 && max! > 0,
      )
      .map(({ name }) => name),
  );
  return first.filter((name) => others.every((names) => names.includes(name)));
}

/**
 * Returns the parameters of a read that combines series to means; none for sums.
 *
 * @param weights possible weights; undefined while they load
 */
export function combineParams(
  { combine, weight }: Pick<PanelChoice, "combine" | "weight">,
  weights: readonly string[] | undefined,
): { combine?: "mean"; weight?: string } {
  if (combine === "sum") return {};
  return weight !== null && (weights ?? [weight]).includes(weight) ? { combine, weight } : { combine };
}
