import { stepsText } from "#lib/contract/duration-text";
import type { OpenModel } from "#lib/domain/models/open-model";
import { parseFrequency } from "#lib/engine/features/frequency";
import { createGrid, type Grid } from "#lib/engine/features/grid";
import { wallToInstant, zoneOffset } from "#lib/engine/features/time-zone";
import { GENERATED_ROWS_MAX, GenerationImpossible } from "#lib/engine/forecasting/generate-inputs";
import type { InputSource } from "../rules.ts";
import type { SeriesFacts } from "./known-rows.ts";

const DAY_MS = 86_400_000;

/**
 * A date without a time stands for that day on the series' clock, where rows stand for days or more: it ends with the
 * row of that day, wherever in it that is. Hours and less go up to its beginning in UTC, as any time without a zone.
 */
export function settleEnd(source: InputSource, facts: SeriesFacts | null): InputSource {
  if (source.kind !== "Generated" || source.endDate === null || !source.endsOnDay || !facts?.grid)
    return source;
  if (parseFrequency(facts.grid.frequency).unit === "ms") return source;
  const dayEnds = wallToInstant(source.endDate + DAY_MS, zoneOffset(facts.grid.timezone)) - 1;
  const grid = createGrid(facts.grid);
  return { ...source, endDate: Math.max(source.endDate, grid.timeAt(lastUpTo(grid, dayEnds))) };
}

/** The last cell that begins up to then: a row at the end of a month comes after most of it. */
function lastUpTo(grid: Grid, instant: number): number {
  const cell = grid.indexOf(instant);
  return grid.timeAt(cell) > instant ? cell - 1 : cell;
}

/**
 * Checks, before anything is stored, that input can be generated. Contract: "from the step after the last known one to
 * `endDate` (400 if not after it; at most 100,000 rows) … Without `endDate`: the horizon that the model was validated
 * on. For a project without a timestamp: the held-out rows of its dataset."
 *
 * @param facts null for a model without times
 * @returns the time of the last row to be generated, null without times
 * @throws {GenerationImpossible}
 */
export function planGeneration(
  model: Pick<OpenModel, "heldOut">,
  facts: SeriesFacts | null,
  endDate: number | null,
): number | null {
  if (facts === null) {
    if (endDate !== null) {
      throw new GenerationImpossible(
        "end_date_not_after_last",
        "The model's data has no times, so an end date has no meaning: leave it out, or upload a CSV.",
      );
    }
    if (!model.heldOut?.rowCount) {
      throw new GenerationImpossible(
        "no_rows",
        "The model has no held-out rows to take the input from: upload a CSV.",
      );
    }
    return null;
  }
  const { grid, last } = requireEnd(facts);
  const end = endDate === null ? last + facts.horizon : lastUpTo(grid, endDate);
  if (end <= last) {
    const next = new Date(grid.timeAt(last + 1)).toISOString();
    throw new GenerationImpossible(
      "end_date_not_after_last",
      `The end date must be ${next} or later: the data ends before it.`,
    );
  }
  requireRows(end - last, facts);
  return grid.timeAt(end);
}

/** Checks that a series can be continued up to that time, where it does not reach so far already. */
export function requireReach(facts: SeriesFacts, until: number): void {
  if (facts.lastTimestamp !== null && until <= facts.lastTimestamp) return;
  const { grid, last } = requireEnd(facts);
  requireRows(grid.indexOf(until) - last, facts);
}

function requireEnd({ grid, lastTimestamp }: SeriesFacts) {
  if (grid === null) {
    throw new GenerationImpossible(
      "no_frequency",
      "The times have no regular step, so the next ones are not known: upload a CSV.",
    );
  }
  if (lastTimestamp === null) {
    throw new GenerationImpossible("no_rows", "No rows are known that could be continued: upload a CSV.");
  }
  const cells = createGrid(grid);
  return { grid: cells, last: cells.indexOf(lastTimestamp) };
}

function requireRows(rows: number, { grid }: SeriesFacts): void {
  if (rows <= GENERATED_ROWS_MAX) return;
  throw new GenerationImpossible(
    "too_many_rows",
    `That is ${stepsText(rows, grid?.frequency ?? null)} after the last known row; at most ${GENERATED_ROWS_MAX} can be generated: name an earlier end date.`,
  );
}
