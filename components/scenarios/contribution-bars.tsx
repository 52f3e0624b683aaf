"use client";

import { useQuery } from "@tanstack/react-query";
import { queries } from "#components/api/queries";
import { formatNumber, formatSigned } from "#components/ui/format";
import { SkeletonRows } from "#components/ui/skeleton";
import { ErrorState } from "#components/ui/states";

const shown = 10;

/** The largest contributions first, as bars to both sides of nothing. */
export function ContributionBars({
  projectId,
  scenarioId,
  row,
}: {
  projectId: string;
  scenarioId: string;
  row: number;
}) {
  const { data, error, refetch } = useQuery({
    ...queries.contributions(projectId, scenarioId, row),
    placeholderData: (previous) => previous,
  });
  if (error) return <ErrorState error={error} onRetry={refetch} />;
  if (!data) return <SkeletonRows rows={4} />;
  const values = data.values[0] ?? [];
  const bars = data.features
    .map((feature, index) => ({ feature, value: values[index] ?? 0 }))
    .sort((a, b) => Math.abs(b.value) - Math.abs(a.value))
    .slice(0, shown);
  const largest = Math.max(...bars.map(({ value }) => Math.abs(value)), Number.MIN_VALUE);
  return (
    <div className="px-5 pb-5">
      <p className="figures mb-3 text-[13px] text-ink-soft">
        Average {formatNumber(data.baseValue)} → prediction{" "}
        <span className="font-semibold text-ink">{formatNumber(data.predictions[0])}</span>
      </p>
      <dl className="space-y-1.5 text-[13px]">
        {bars.map(({ feature, value }) => (
          <div key={feature} className="grid grid-cols-[9rem_1fr_5rem] items-center gap-3">
            <dt className="truncate font-mono text-xs" title={feature}>
              {feature}
            </dt>
            <dd className="relative h-3.5" aria-hidden="true">
              <span className="absolute inset-y-0 left-1/2 w-px bg-line-strong" />
              <span
                className={
                  value >= 0
                    ? "absolute inset-y-0 left-1/2 rounded-r-sm bg-accent"
                    : "absolute inset-y-0 right-1/2 rounded-l-sm bg-warn"
                }
                style={{ width: `${(Math.abs(value) / largest) * 50}%` }}
              />
            </dd>
            <dd className="figures text-right">{formatSigned(value)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
