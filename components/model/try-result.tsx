import { largestBars, SignedBars } from "#components/chart/signed-bars.tsx";
import { WarningList } from "#components/csv/issue-list.tsx";
import { useDisplays } from "#components/display/displays.tsx";
import { formatNumber } from "#components/ui/format.ts";
import type { Prediction } from "#lib/contract/predictions";

const shownBars = 8;

/** Shows one row's prediction, its prediction interval and the feature contributions. */
export function TryResult({ prediction, stale }: { prediction: Prediction; stale: boolean }) {
  const { intervals, contributions, classes } = prediction;
  // The form requests intervals of every model; probabilities have none.
  const warnings = prediction.warnings.filter(({ code }) => !classes || code !== "no_intervals");
  const values = contributions?.values[0];
  const displays = useDisplays();
  const target = displays(prediction.target);
  const isLogOdds = contributions?.scale === "log_odds";
  return (
    <div className={stale ? "space-y-4 opacity-60 transition-opacity" : "space-y-4 transition-opacity"}>
      <div>
        <p className="text-xs text-ink-faint" title={prediction.target}>
          {target.name}
          {classes && ` = ${classes[1]}, as a probability`}
        </p>
        <output className="figures block text-3xl font-semibold tracking-tight" aria-live="polite">
          {target.text(prediction.predictions[0])}
        </output>
        {intervals && (
          <p className="figures mt-0.5 text-[13px] text-ink-soft">
            {Math.round(intervals.level * 100)} % prediction interval: {target.format(intervals.lower[0])} to{" "}
            {target.text(intervals.upper[0])}
          </p>
        )}
      </div>
      <WarningList warnings={warnings} />
      {contributions && values && (
        <div>
          <h3 className="mb-2 text-[13px] font-medium">
            Why{" "}
            <span className="figures font-normal text-ink-faint">
              {isLogOdds && "in log-odds "}· base value{" "}
              {isLogOdds ? formatNumber(contributions.baseValue) : target.text(contributions.baseValue)}
            </span>
          </h3>
          <SignedBars
            bars={largestBars(contributions, 0, shownBars, displays)}
            {...(!isLogOdds && { formatOf: (values) => target.formatOf(values) })}
          />
        </div>
      )}
    </div>
  );
}
