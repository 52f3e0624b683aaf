import type { ReactNode } from "react";
import { useMay } from "#components/api/viewer.tsx";
import { WarningList } from "#components/csv/issue-list.tsx";
import { NoInputsNote } from "#components/scenarios/no-inputs-note.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { Facts } from "#components/ui/facts.tsx";
import { formatBytes, formatInteger, roundedPercent } from "#components/ui/format.ts";
import { Time } from "#components/ui/time.tsx";
import { counted } from "#lib/contract/counted";
import type { Model } from "#lib/contract/models";
import { formatMetric, improvementPercent, metricName, referenceName } from "./metric-text.ts";

/** Returns whether the model's accuracy suggests that an input gives the target away. */
export const isTooGood = ({ warnings }: Model): boolean => warnings.some(({ code }) => code === "too_good");

/** Describes the model's accuracy in one sentence. */
export function verdict(model: Model): string {
  const { targetMetric, primaryMetricValue, trainingMetrics } = model;
  if (primaryMetricValue === null)
    return "Accuracy unknown: the model was imported without rows with actuals.";
  if (model.algorithm === "seasonal_naive") {
    return `${metricName(targetMetric)} ${formatMetric(targetMetric, primaryMetricValue)}: repeats the last season or the last value. No other model did better in the back-tests.`;
  }
  const reference = referenceName(targetMetric);
  if (model.algorithm === "mean") {
    return `${metricName(targetMetric)} ${formatMetric(targetMetric, primaryMetricValue)}: predicts the ${model.classification ? "base rate" : "mean"}. No other model did better in the back-tests.`;
  }
  const score = `${metricName(targetMetric)} ${formatMetric(targetMetric, primaryMetricValue)} on held-out validation rows`;
  const percent = improvementPercent(
    targetMetric,
    primaryMetricValue,
    trainingMetrics.baseline?.[targetMetric],
  );
  if (isTooGood(model)) return `${score}: too good to be true.`;
  if (percent === null) return `${score}.`;
  const size = `${roundedPercent(Math.abs(percent), 0)} %`;
  return percent > 0
    ? `${score}: ${size} less error than the ${reference}.`
    : `${score}: no better than the ${reference} (${size} more error).`;
}

/** Describes the forecast mode, which the metrics and the predictions share. */
function forecastText({ leaderboard }: Model): string {
  const { mode, horizon } = leaderboard.find(({ chosen }) => chosen) ?? {};
  if (mode === undefined) return "–";
  const way = { recursive: "recursive", direct: "direct", independent: "each row independently" }[mode];
  return horizon && mode !== "independent" ? `${way}, ${counted(horizon, "step")} ahead` : way;
}

function fittedOn({ trainingRows, datasetRows }: Model): string {
  if (trainingRows === 0) return "–";
  return trainingRows === datasetRows ? `all ${counted(trainingRows, "row")}` : counted(trainingRows, "row");
}

/** Rows below which the widths of intervals follow mostly from experience with other series. */
const ROUGH_ROWS = 30;

function coverageFacts({ coverage, coverageBySteps = [], trainingRows }: Model): [string, string][] {
  const whole = coverage === null ? "–" : `${roundedPercent(100 * coverage, 1)} %`;
  return [["Coverage of the 90 % interval", whole], ...partialCoverage({ coverageBySteps, trainingRows })];
}

/** Returns the coverage by step ahead: "92.1 % in steps 1–9". Nothing for a single part of the horizon. */
function partialCoverage({
  coverageBySteps = [],
  trainingRows,
}: Pick<Model, "coverageBySteps" | "trainingRows">): [string, string][] {
  if (trainingRows > 0 && trainingRows < ROUGH_ROWS)
    return [["Intervals", `a rough estimate, from fewer than ${ROUGH_ROWS} rows`]];
  if (coverageBySteps.length < 2) return [];
  const parts = coverageBySteps.map(
    ({ fromStep, toStep, coverage }) =>
      `${roundedPercent(100 * coverage, 1)}\u00a0% in ${fromStep === toStep ? `step ${toStep}` : `steps ${fromStep}–${toStep}`}`,
  );
  return [["Coverage by step", parts.join(", ")]];
}

export function ModelSummary({
  model,
  author,
  actions,
}: {
  model: Model;
  author: string;
  actions?: ReactNode;
}) {
  const mayCheck = useMay()("updateDataset");
  return (
    <Card>
      <CardHeader
        title={
          <span className="flex flex-wrap items-center gap-2">
            {model.modelName}
            {model.isCurrent && <Badge tone="accent">current</Badge>}
            {model.source === "imported" && <Badge>imported</Badge>}
          </span>
        }
        description={verdict(model)}
        actions={actions}
      />
      <div className="space-y-4 px-5 pb-5">
        {model.warnings.length > 0 && (
          <div className="space-y-2">
            <WarningList warnings={model.warnings} />
            {isTooGood(model) && mayCheck && (
              <ButtonLink size="sm" href={`/projects/${model.projectId}/data`}>
                Check the columns
              </ButtonLink>
            )}
          </div>
        )}
        <NoInputsNote projectId={model.projectId} features={model.inputFeatures} />
        <ModelFacts model={model} author={author} />
      </div>
    </Card>
  );
}

/** Lists the target, the accuracy of the intervals and the origin of a model. */
export function ModelFacts({ model, author }: { model: Model; author: string }) {
  return (
    <Facts
      facts={[
        [
          "Predicts",
          <span key="target" className="font-mono text-xs">
            {model.target}
            {model.classification && ` = ${model.classification.classes[1]}, as a probability`}
          </span>,
        ],
        ["Fitted on", fittedOn(model)],
        ...(model.classification ? [] : coverageFacts(model)),
        ["Size", formatBytes(model.artifactBytes)],
        ["Forecasts", forecastText(model)],
        ["Input features", formatInteger(model.inputFeatures.length)],
        ["Engineering steps", formatInteger(model.featureEngineering.steps.length)],
        [
          model.source === "imported" ? "Imported" : "Trained",
          <span key="trained">
            <Time at={model.trainedAt} /> by {author}
          </span>,
        ],
      ]}
    />
  );
}
