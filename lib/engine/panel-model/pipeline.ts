import type { Column, Table } from "#lib/contract/table";
import { calendarSteps } from "#lib/engine/features/calendar-steps";
import { categoryStep } from "#lib/engine/features/category-steps";
import { checkPipeline } from "#lib/engine/features/check-pipeline";
import { standardScale } from "#lib/engine/features/fit-pipeline";
import type { GridDefinition } from "#lib/engine/features/grid";
import type { FeaturePipeline, FeatureStep } from "#lib/engine/features/pipeline";
import { PIPELINE_VERSION } from "#lib/engine/features/pipeline-schema";
import { codesOf, requireColumn } from "#lib/engine/table/columns";

/** Largest ratio of two values of an input within a series that enters as logarithms. */
const LOG_RATIO_MAX = 100;

type PipelineRequest = {
  /** Rows of some series, one series after the other. */
  table: Table;
  /** Place of each row's series. */
  ofRow: Int32Array;
  target: string;
  targets: Float64Array;
  timestamp: string;
  timezone: string;
  grid: GridDefinition;
  /** Names of inputs that vary within series. */
  inputs: readonly string[];
  /** Times of all rows, each once. */
  times: Float64Array;
  calendar: boolean;
  holidays?: { country: string; region: string | null; days: number[] } | undefined;
};

/** Maximum distance in days at which a holiday has an effect. */
const HOLIDAY_REACH = 7;

/**
 * Chooses the model inputs: prices as logarithms, other numbers as they are, categories as one column each, and the calendar.
 * A trend is left out, because local methods continue the level of each series.
 */
export function panelPipeline(request: PipelineRequest): FeaturePipeline {
  const { table, target, targets, timestamp, timezone, grid, inputs, times, calendar, holidays } = request;
  const steps: FeatureStep[] = inputs.flatMap((name) => {
    const column = requireColumn(table, name);
    if (column.type === "timestamp") return [];
    if (column.type === "category") {
      const step = categoryStep(column, targets, "linear");
      // The mean target of a category is mostly the level of the series that it occurs in.
      return step.op === "onehot" ? [step] : [];
    }
    return [
      { op: "impute", feature: name, strategy: "keep", value: null },
      numberStep(column, request.ofRow),
    ];
  });
  if (calendar) steps.push(...calendarSteps(times, "linear").flatMap(additiveCalendar));
  if (holidays) steps.push({ op: "holiday", ...holidays, reach: HOLIDAY_REACH });
  return checkPipeline({ version: PIPELINE_VERSION, target, timestamp, timezone, grid, steps });
}

/** Replaces the hours of a week, which few series can estimate, by hours and weekdays; drops the trend. */
function additiveCalendar(step: FeatureStep): FeatureStep[] {
  if (step.op === "trend") return [];
  if (step.op !== "calendar" || step.field !== "hourOfWeek") return [step];
  return (["hour", "weekday"] as const).map((field) => ({ op: "calendar", field, encoding: "onehot" }));
}

function numberStep(column: Exclude<Column, { type: "category" }>, ofRow: Int32Array): FeatureStep {
  const feature = column.name;
  if (column.type === "boolean" || codesOf(column.values) !== null)
    return { op: "number", feature, scale: 1 };
  const log = leastOfLogs(column.values, ofRow);
  const values =
    log === undefined ? column.values : column.values.map((value) => Math.log(Math.max(value, log)));
  return { op: "number", feature, ...(log !== undefined && { log }), ...standardScale(values) };
}

/** Returns half of the least value of an input like a price: positive, and of one size within each series. */
function leastOfLogs(values: Float64Array, ofRow: Int32Array): number | undefined {
  const least = new Map<number, number>();
  const most = new Map<number, number>();
  for (let row = 0; row < values.length; row++) {
    const value = values[row]!;
    if (Number.isNaN(value)) continue;
    if (!(value > 0)) return undefined;
    const place = ofRow[row]!;
    least.set(place, Math.min(value, least.get(place) ?? value));
    most.set(place, Math.max(value, most.get(place) ?? value));
  }
  let minimum = Number.POSITIVE_INFINITY;
  for (const [place, low] of least) {
    if (most.get(place)! > LOG_RATIO_MAX * low) return undefined;
    minimum = Math.min(minimum, low);
  }
  return Number.isFinite(minimum) ? minimum / 2 : undefined;
}
