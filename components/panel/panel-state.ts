import { type inferParserType, parseAsArrayOf, parseAsString } from "nuqs/server";
import type { Dataset } from "#lib/contract/datasets";

/** Choice among many series in the URL of a page: `column:value` restrictions, from coarse to fine, and the column to split by. */
export const panelParsers = {
  where: parseAsArrayOf(parseAsString).withDefault([]),
  by: parseAsString,
};

export type PanelChoice = inferParserType<typeof panelParsers>;

/** Step of the path from all series to one: the value of a column. */
export type PanelStep = { column: string; value: string };

const textOf = ({ column, value }: PanelStep) => `${column}:${value}`;

/** Returns the columns that form groups, from few groups to many; empty for one series. */
export function panelColumns(series: Dataset["series"] | undefined): string[] {
  return (series?.levels ?? [])
    .filter(({ columns }) => columns.length === 1)
    .toSorted((a, b) => a.count - b.count)
    .map(({ columns }) => columns[0]!);
}

/** Returns the steps of a choice. Ignores restrictions of columns that are not known. */
export function stepsOf({ where }: Pick<PanelChoice, "where">, columns: readonly string[]): PanelStep[] {
  const longestFirst = columns.toSorted((a, b) => b.length - a.length);
  return where.flatMap((text) => {
    const column = longestFirst.find((name) => text.startsWith(`${name}:`));
    return column === undefined ? [] : { column, value: text.slice(column.length + 1) };
  });
}

/** Returns the columns by which the chosen series can be split: those without a restriction. */
export function splitColumns(choice: Pick<PanelChoice, "where">, columns: readonly string[]): string[] {
  const taken = new Set(stepsOf(choice, columns).map(({ column }) => column));
  return columns.filter((column) => !taken.has(column));
}

/** Returns the column by which the chosen series are split: the one of the URL, or the one with the fewest groups. */
export function splitBy(choice: PanelChoice, columns: readonly string[]): string | null {
  const possible = splitColumns(choice, columns);
  return possible.find((column) => column === choice.by) ?? possible[0] ?? null;
}

/** Returns the choice of one group of the present choice, which is then split by the next column. */
export function openGroup(choice: PanelChoice, step: PanelStep, columns: readonly string[]): PanelChoice {
  const kept = stepsOf(choice, columns).filter(({ column }) => column !== step.column);
  return { where: [...kept, step].map(textOf), by: null };
}

/** Returns the choice after the first `count` steps of the path. */
export function backTo(choice: PanelChoice, count: number, columns: readonly string[]): PanelChoice {
  return { where: stepsOf(choice, columns).slice(0, count).map(textOf), by: null };
}
