import { counted } from "#lib/contract/counted";
import { stepsText } from "#lib/contract/duration-text";
import type { Warning } from "#lib/contract/warnings";
import { shorten } from "#lib/engine/csv/issues";
import { defaultHorizon } from "#lib/engine/features/frequency";
import { createGrid, type GridDefinition } from "#lib/engine/features/grid";
import { SHORT_SERIES_ROWS } from "#lib/engine/panel/describe-series";
import { type Panel, timesOfSeries } from "#lib/engine/panel/panel";
import { type SeriesIndex, seriesText } from "#lib/engine/panel/series-index";
import { occupation, sameStep } from "./dataset-warnings.ts";

type Found = { movedRows: number; ended: readonly number[]; short: readonly number[] };

/** Returns the warnings about the times of a panel. @param grid steps of all series; null without a regular step */
export function panelWarnings(
  panel: Panel,
  timestamp: string,
  grid: GridDefinition | null,
  { movedRows, ended, short }: Found,
): Warning[] {
  const warnings: Warning[] = [];
  const warn = (code: string, message: string, rows?: number) =>
    warnings.push({ code, column: timestamp, message, ...(rows !== undefined && { rows }) });
  if (movedRows > 0)
    warn("rows_sorted", "The rows were not in the order of their times; they have been sorted.", movedRows);
  if (grid === null)
    warn(
      "no_frequency",
      "The times have no regular step: models cannot look back at earlier values, and inputs cannot be generated.",
    );
  else gapWarnings(panel, grid, warn);
  if (ended.length > 0 && grid !== null) {
    const span = stepsText(defaultHorizon(grid.frequency), grid.frequency);
    warn(
      "series_ended",
      `${someSeries(panel.index, ended, "ends", "end")} more than ${span} before the newest row. Forecasts include them.`,
    );
  }
  if (short.length > 0)
    warn(
      "series_short",
      `${someSeries(panel.index, short, "has", "have")} fewer than ${SHORT_SERIES_ROWS} values of the target. Forecasts of them follow the other series.`,
    );
  return warnings;
}

function gapWarnings(
  panel: Panel,
  grid: GridDefinition,
  warn: (code: string, message: string, rows?: number) => void,
): void {
  const { indexOf } = createGrid(grid);
  const found = timesOfSeries(panel).map((times) => occupation(times, indexOf));
  const missing = found.reduce((sum, one) => sum + one.missing, 0);
  const crowded = found.reduce((sum, one) => sum + one.crowded, 0);
  const placesOf = (kind: "missing" | "crowded") =>
    found.flatMap((one, place) => (one[kind] > 0 ? [place] : []));
  if (missing > 0) {
    const have = missing === 1 ? "has" : "have";
    const series = someSeries(panel.index, placesOf("missing"));
    warn("gaps", `${stepsText(missing, grid.frequency)} within ${series} ${have} no row.`, missing);
  }
  if (crowded > 0) {
    const rows = counted(crowded, "row falls", "rows fall");
    const series = someSeries(panel.index, placesOf("crowded"));
    warn(
      "off_grid",
      `${rows} into the same ${sameStep(grid.frequency)} as the row before, in ${series}.`,
      crowded,
    );
  }
}

const NAMES_SHOWN = 3;

/** Returns `2 series (store "A"; store "B") end`. The verbs are of one and of many series. */
export function someSeries(
  { columns, values }: SeriesIndex,
  places: readonly number[],
  one?: string,
  many?: string,
): string {
  const names = places.slice(0, NAMES_SHOWN).map((place) => seriesText(columns, values[place]!.map(shorten)));
  const more = places.length > names.length ? ["…"] : [];
  const verb = places.length === 1 ? one : many;
  const listed = `${counted(places.length, "series", "series")} (${[...names, ...more].join("; ")})`;
  return verb === undefined ? listed : `${listed} ${verb}`;
}
