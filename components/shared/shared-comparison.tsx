"use client";

import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { ApiError, api } from "#components/api/client.ts";
import { incompleteText } from "#components/chart/axis.ts";
import { ComparisonChart, type Crosshair } from "#components/chart/comparison-chart.tsx";
import { describeComparison } from "#components/chart/describe-comparison.ts";
import { prepareComparison } from "#components/chart/prepare-comparison.ts";
import { ChartLegend, shownSeries } from "#components/compare/chart-legend.tsx";
import { DisplaysProvider, useCalendar, useTarget } from "#components/display/displays.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { SkeletonCard } from "#components/ui/skeleton.tsx";
import { EmptyState, ErrorState } from "#components/ui/states.tsx";
import { Time } from "#components/ui/time.tsx";
import type { Comparison } from "#lib/contract/scenario-series";
import { SharedTotals } from "./shared-totals.tsx";

/** Shows the saved comparison of the link, whose token is the fragment of the page's address. */
export function SharedComparison() {
  const { data, error, refetch } = useQuery({
    queryKey: ["shared-comparison"],
    queryFn: () => api.post("/shared-comparison", { token: location.hash.slice(1) }),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  if (error instanceof ApiError && error.code !== "network" && error.status < 429) {
    return (
      <Card>
        <EmptyState title="This link shows nothing any more">
          It has expired, or was revoked. Ask the person who sent it for a new one.
        </EmptyState>
      </Card>
    );
  }
  if (error) {
    return (
      <Card>
        <ErrorState error={error} onRetry={refetch} />
      </Card>
    );
  }
  if (!data) {
    return (
      <div role="status" aria-label="Loading">
        <SkeletonCard className="h-[40rem]" />
      </div>
    );
  }
  return (
    <DisplaysProvider project={data.project}>
      <PageHeader
        title={data.name}
        description={
          <>
            {data.project.name}. This link ends <Time at={data.expiresAt} />.
          </>
        }
      />
      <Charts comparison={data.comparison} />
    </DisplaysProvider>
  );
}

function Charts({ comparison }: { comparison: Comparison }) {
  const target = useTarget();
  const calendar = useCalendar();
  const [x, setX] = useState<number | null>(null);
  const [hidden, setHidden] = useState<string[]>([]);
  const prepared = useMemo(() => prepareComparison(comparison, true, calendar), [comparison, calendar]);
  const only = shownSeries(prepared, hidden);
  const crosshair: Crosshair = { x, set: setX };
  const incomplete = incompleteText(prepared);
  return (
    <div className="space-y-6">
      <Card>
        <CardHeader title={`Predictions of ${target.name}`} />
        <div className="px-2 pt-4 pb-4">
          <ComparisonChart
            prepared={prepared}
            measure="value"
            bands
            height={380}
            label={describeComparison(comparison, comparison, calendar)}
            only={only}
            crosshair={crosshair}
            fitsShown
          />
          <ChartLegend prepared={prepared} shown={only} onHidden={setHidden} />
          <ComparisonChart
            prepared={prepared}
            measure="difference"
            intervals
            height={140}
            label="Differences from the baseline at each point"
            only={only}
            crosshair={crosshair}
            fitsShown
          />
          {incomplete && <p className="px-3 pt-3 text-xs text-ink-faint">{incomplete}</p>}
        </div>
      </Card>
      <Card>
        <CardHeader title="Totals" />
        <SharedTotals comparison={comparison} prepared={prepared} />
      </Card>
    </div>
  );
}
