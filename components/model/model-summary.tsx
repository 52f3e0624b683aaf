import { Badge } from "#components/ui/badge.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { Facts } from "#components/ui/facts.tsx";
import { formatBytes, formatInteger, roundedPercent } from "#components/ui/format.ts";
import { Time } from "#components/ui/time.tsx";
import { counted } from "#lib/contract/counted";
import type { Model } from "#lib/contract/models";
import { formatMetric, improvementPercent, metricName } from "./metric-text.ts";

/** What the model is worth, in one sentence. */
function verdict(model: Model): string {
  const { targetMetric, primaryMetricValue, trainingMetrics } = model;
  if (primaryMetricValue === null)
    return "How good it is is not known: no rows with known results came with it.";
  if (model.algorithm === "seasonal_naive") {
    return `${metricName(targetMetric)} ${formatMetric(targetMetric, primaryMetricValue)}: repeats the last season or the last value. No other model did better in the back-tests.`;
  }
  if (model.algorithm === "mean") {
    return `${metricName(targetMetric)} ${formatMetric(targetMetric, primaryMetricValue)}: predicts the mean. No other model did better in the back-tests.`;
  }
  const score = `${metricName(targetMetric)} ${formatMetric(targetMetric, primaryMetricValue)} on validation rows that it had not seen`;
  const percent = improvementPercent(
    targetMetric,
    primaryMetricValue,
    trainingMetrics.baseline?.[targetMetric],
  );
  if (percent === null) return `${score}.`;
  const size = `${roundedPercent(Math.abs(percent), 0)} %`;
  return percent > 0
    ? `${score}: ${size} less error than the naive baseline.`
    : `${score}: no better than the naive baseline (${size} more error).`;
}

/** In which way the metrics were measured, which is the way that the model is used. */
function forecastText({ leaderboard }: Model): string {
  const { mode, horizon } = leaderboard.find(({ chosen }) => chosen) ?? {};
  if (mode === undefined) return "–";
  const way = { recursive: "recursive", direct: "direct", independent: "each row by itself" }[mode];
  return horizon && mode !== "independent" ? `${way}, ${counted(horizon, "step")} ahead` : way;
}

function fittedOn({ trainingRows, datasetRows }: Model): string {
  if (trainingRows === 0) return "–";
  return trainingRows === datasetRows ? `all ${counted(trainingRows, "row")}` : counted(trainingRows, "row");
}

export function ModelSummary({ model, author }: { model: Model; author: string }) {
  return (
    <Card>
      <CardHeader
        title={
          <span className="flex flex-wrap items-center gap-2">
            {model.modelName}
            <Badge tone="accent">current</Badge>
            {model.source === "imported" && <Badge>imported</Badge>}
          </span>
        }
        description={verdict(model)}
      />
      <div className="px-5 pb-5">
        <Facts
          facts={[
            [
              "Predicts",
              <span key="target" className="font-mono text-xs">
                {model.target}
              </span>,
            ],
            ["Fitted on", fittedOn(model)],
            [
              "Coverage of the 90 % interval",
              model.coverage === null ? "–" : `${roundedPercent(100 * model.coverage, 1)} %`,
            ],
            ["Size", `${formatBytes(model.artifactBytes)}, ${model.modelFormat.toUpperCase()}`],
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
      </div>
    </Card>
  );
}
