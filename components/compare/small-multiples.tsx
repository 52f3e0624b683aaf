import { ComparisonChart, type Crosshair } from "#components/chart/comparison-chart.tsx";
import { actualId, type PreparedComparison } from "#components/chart/prepare-comparison.ts";
import type { Span } from "#components/chart/scale.ts";
import { SeriesMark } from "#components/chart/series-mark.tsx";

/** Draws a small chart per scenario with the baseline and the actuals, all with the same axes. */
export function SmallMultiples({
  prepared,
  bands,
  ...shared
}: {
  prepared: PreparedComparison;
  bands: boolean;
  span: Span;
  onSpan(span: Span): void;
  onReset(): void;
  crosshair: Crosshair;
}) {
  const baseline = prepared.series.findIndex(({ isBaseline }) => isBaseline);
  const actual = prepared.series.findIndex(({ id }) => id === actualId);
  return (
    <ul className="grid gap-x-2 gap-y-4 md:grid-cols-2 2xl:grid-cols-3">
      {prepared.series.map(({ id, title, color, dash }, index) =>
        index === baseline || index === actual ? null : (
          <li key={id} className="min-w-0">
            <p className="flex items-center gap-2 pl-16 text-xs font-medium">
              <SeriesMark color={color} dash={dash} />
              <span className="truncate" title={title}>
                {title}
              </span>
            </p>
            <ComparisonChart
              {...shared}
              prepared={prepared}
              measure="value"
              bands={bands}
              only={[baseline, index, actual]}
              height={170}
              label={`${title} and the baseline ${prepared.series[baseline]?.title ?? ""}${actual === -1 ? "" : ", with the actuals"}`}
            />
          </li>
        ),
      )}
    </ul>
  );
}
