import { useTarget } from "#components/display/displays.tsx";
import { classNames } from "#components/ui/class-names.ts";
import { formatPercent } from "#components/ui/format.ts";
import { Skeleton } from "#components/ui/skeleton.tsx";
import type { ScenarioPreview } from "#lib/contract/scenario-preview";
import type { Scenario } from "#lib/contract/scenarios";

/** Shows the sum and the mean of the saved and of the edited predictions, and their difference. */
export function PreviewTotals({
  scenario,
  preview,
  isPart,
  isUpdating,
}: {
  scenario: Scenario;
  preview: ScenarioPreview | undefined;
  /** Whether the preview is of chosen series, whose saved sum the scenario does not state. */
  isPart: boolean;
  isUpdating: boolean;
}) {
  const target = useTarget();
  if (!preview) return <Skeleton className="h-28" />;
  const { summary, totalDifference, totalDifferenceInterval: interval, percentDifference } = preview;
  // A preview has no overrides.
  const saved = scenario.calculatedSummary ?? scenario.summary;
  const { mean } = saved ?? { mean: null };
  const savedSum = summary.sum === null || totalDifference === null ? null : summary.sum - totalDifference;
  const rows = [
    ["Sum", isPart ? savedSum : saved?.sum, summary.sum, totalDifference] as const,
    ...(isPart
      ? []
      : [
          [
            "Mean",
            mean,
            summary.mean,
            mean === null || summary.mean === null ? null : summary.mean - mean,
          ] as const,
        ]),
  ];
  const level = interval && Math.round(100 * interval.level);
  return (
    <div
      aria-live="polite"
      aria-busy={isUpdating}
      className={classNames(
        // Stays in view while inputs far below are changed.
        "sticky top-12 z-10 bg-surface py-1 text-[13px] lg:static",
        isUpdating && "text-ink-soft",
      )}
    >
      <table className="figures w-full">
        <caption className="sr-only">Effect of the changes</caption>
        <thead className="text-xs text-ink-faint">
          <tr>
            <td />
            {["Saved", "Edited", "Difference"].map((name) => (
              <th key={name} scope="col" className="pb-1 text-right font-normal">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, saved, edited, difference]) => (
            <tr key={name}>
              <th scope="row" className="py-0.5 text-left font-normal text-ink-soft">
                {target.head(name)}
              </th>
              <td className="text-right">{target.format(saved)}</td>
              <td className="text-right font-medium">{target.format(edited)}</td>
              <td className="text-right">{target.signed(difference)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className="mt-1.5 min-h-4 text-xs text-ink-faint">
        {totalDifference !== null && totalDifference !== 0 && (
          <>
            {formatPercent(percentDifference)}
            {interval &&
              `; ${level} % interval of the difference in sum: ${target.format(interval.lower)} to ${target.text(interval.upper)}`}
          </>
        )}
      </p>
    </div>
  );
}
