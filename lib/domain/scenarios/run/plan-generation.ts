import { stepsText } from "#lib/contract/duration-text";
import type { SeriesFacts } from "#lib/domain/models/linked/known-rows";
import type { OpenModel } from "#lib/domain/models/open-model";
import { parseFrequency } from "#lib/engine/features/frequency";
import { createGrid, type Grid } from "#lib/engine/features/grid";
import { GENERATED_ROWS_MAX, GenerationImpossible } from "#lib/engine/forecasting/generation";
import { wallToInstant, zoneOffset } from "#lib/engine/time/timezones";
import type { InputSource } from "../scenario-request.ts";

const DAY_MS = 86_400_000;

/**
 * Resolves an end date without a time. If a step is a day or longer, the date is a day in the series' time zone, and the
 * input ends with the row of that day. For shorter steps the input ends at midnight UTC, as for any time without a zone.
 */
export function settleEnd(source: InputSource, facts: SeriesFacts | null): InputSource {
  if (source.kind !== "Generated" || source.endDate === null || !source.endsOnDay || !facts?.grid)
    return source;
  if (parseFrequency(facts.grid.frequency).unit === "ms") return source;
  const dayEnds = wallToInstant(source.endDate + DAY_MS, zoneOffset(facts.grid.timezone)) - 1;
  const grid = createGrid(facts.grid);
  return { ...source, endDate: Math.max(source.endDate, grid.timeAt(lastUpTo(grid, dayEnds))) };
}

/** Returns the last cell whose row lies at or before the instant. A month's row may lie at its end, after the instant. */
function lastUpTo(grid: Grid, instant: number): number {
  const cell = grid.indexOf(instant);
  return grid.timeAt(cell) > instant ? cell - 1 : cell;
}

/**
 * Checks that input can be generated, before anything is stored. The input runs from the step after the last known one to
 * `endDate`, with at most 100,000 rows. Without `endDate` it covers the horizon that the model was validated on. For a
 * project without a timestamp it consists of the held-out rows stored with the model.
 *
 * @param facts null for a model without times
 * @returns the time of the last row to generate; null without times
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
        "The model's data has no timestamps, so the end date does not apply. Omit it, or upload a CSV.",
      );
    }
    if (!model.heldOut?.rowCount) {
      throw new GenerationImpossible(
        "no_rows",
        "The model has no held-out rows to use as input. Upload a CSV instead.",
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
      `The end date must be ${next} or later, after the last known row.`,
    );
  }
  requireRows(end - last, facts);
  return grid.timeAt(end);
}

/** Returns the time of the row that lies a number of steps after the last known one; null if the times have no regular step. */
export function endAfter({ grid, lastTimestamp }: SeriesFacts, steps: number): number | null {
  if (grid === null || lastTimestamp === null) return null;
  const { timeAt, indexOf } = createGrid(grid);
  return timeAt(indexOf(lastTimestamp) + steps);
}

/** Returns the number of steps between two times, at least 1; null if the times have no regular step. */
export function stepsUntil({ grid }: SeriesFacts, from: number, to: number): number | null {
  if (grid === null) return null;
  const { indexOf } = createGrid(grid);
  return Math.max(1, indexOf(to) - indexOf(from));
}

function requireEnd({ grid, lastTimestamp }: SeriesFacts) {
  if (grid === null) {
    throw new GenerationImpossible(
      "no_frequency",
      "The timestamps have no regular step, so future rows cannot be generated. Upload a CSV instead.",
    );
  }
  if (lastTimestamp === null) {
    throw new GenerationImpossible("no_rows", "There are no known rows to extend. Upload a CSV instead.");
  }
  const cells = createGrid(grid);
  return { grid: cells, last: cells.indexOf(lastTimestamp) };
}

function requireRows(rows: number, { grid }: SeriesFacts): void {
  if (rows <= GENERATED_ROWS_MAX) return;
  throw new GenerationImpossible(
    "too_many_rows",
    `The end date is ${stepsText(rows, grid?.frequency ?? null)} after the last known row; at most ${GENERATED_ROWS_MAX} rows can be generated. Choose an earlier end date.`,
  );
}
