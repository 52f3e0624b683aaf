import { fitPipeline } from "#lib/engine/features/fit-pipeline";
import type { FeaturePipeline } from "#lib/engine/features/pipeline";
import type { CandidateContext } from "./candidate.ts";

export type InputsContext = Pick<
  CandidateContext,
  "data" | "target" | "timestamp" | "timezone" | "missing" | "upstream" | "calendar"
> &
  Partial<Pick<CandidateContext, "isOfLogs">>;

/** Fits the features of a linear model that reads inputs and the calendar, without the past of the target. */
export function inputsPipeline(
  { data, target, timestamp, timezone, missing, upstream, calendar, isOfLogs }: InputsContext,
  inputs: string[] = data.inputs,
): FeaturePipeline {
  return fitPipeline({
    table: data.table,
    target,
    timestamp,
    timezone,
    grid: data.grid,
    inputs,
    missing,
    upstream,
    calendar,
    lags: [],
    rolling: [],
    family: "linear",
    logs: isOfLogs,
  });
}
