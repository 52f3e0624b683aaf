import { largestBars, SignedBars } from "#components/chart/signed-bars.tsx";
import { WarningList } from "#components/csv/issue-list.tsx";
import { formatNumber } from "#components/ui/format.ts";
import type { Prediction } from "#lib/contract/predictions";

const shownBars = 8;

/** Shows one row's prediction, its prediction interval and the feature contributions. */
export function TryResult({ prediction, stale }: { prediction: Prediction; stale: boolean }) {
  const { intervals, contributions, classes } = prediction;
  // The form requests intervals of every model; probabilities have none.
  const warnings = prediction.warnings.filter(({ code }) => !classes || code !== "no_intervals");
  const values = contributions?.values[0];
  return (
    <div className={stale ? "space-y-4 opacity-60 transition-opacity" : "space-y-4 transition-opacity"}>
      <div>
        <p className="font-mono text-xs text-ink-faint">
          {prediction.target}
          {classes && ` = ${classes[1]}, as a probability`}
        </p>
        <output className="figures block text-3xl font-semibold tracking-tight" aria-live="polite">
          {formatNumber(prediction.predictions[0])}
        </output>
        {intervals && (
          <p className="figures mt-0.5 text-[13px] text-ink-soft">
            {Math.round(intervals.level * 100)} % prediction interval: {formatNumber(intervals.lower[0])} to{" "}
            {formatNumber(intervals.upper[0])}
          </p>
        )}
      </div>
      <WarningList warnings={warnings} />
      {contributions && values && (
        <div>
          <h3 className="mb-2 text-[13px] font-medium">
            Why{" "}
            <span className="figures font-normal text-ink-faint">
              {contributions.scale === "log_odds" && "in log-odds "}· base value{" "}
              {formatNumber(contributions.baseValue)}
            </span>
          </h3>
          <SignedBars bars={largestBars(contributions, 0, shownBars)} />
        </div>
      )}
    </div>
  );
}
