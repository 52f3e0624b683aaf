"use client";

import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { describeErrors } from "#components/actuals/describe-errors.ts";
import { type ErrorRow, ErrorTable } from "#components/actuals/error-table.tsx";
import { periodHeads, periodName } from "#components/actuals/record-periods.ts";
import { queries } from "#components/api/queries.ts";
import { ComparisonChart } from "#components/chart/comparison-chart.tsx";
import { prepareSeries } from "#components/chart/prepare-series.ts";
import { TargetOf, useCalendar, useDisplays } from "#components/display/displays.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { palette } from "#components/ui/palette.ts";
import { EmptyState, QueryState } from "#components/ui/states.tsx";
import type { ForecastErrors } from "#lib/contract/actuals";
import { counted } from "#lib/contract/counted";
import type { TrackRecord } from "#lib/contract/track-record";
import { DecisionsCard } from "./decisions-card.tsx";
import { OverrideRecordCard } from "./override-record-card.tsx";
import { biasText, stepsName } from "./track-record-text.ts";

/** Shows how a project's forecasts compare with what came. */
export function TrackRecordPage({ projectId }: { projectId: string }) {
  const record = useQuery(queries.trackRecord(projectId));
  const { data } = record;
  return (
    <>
      <PageHeader
        title="Track record"
        description="Predictions that each run made before the actual values arrived, beside these values."
      />
      <QueryState query={record} rows={6} inCard />
      <div className="space-y-6">
        {data && data.errors === null && (
          <Card>
            <EmptyState
              title="Nothing to compare yet"
              action={<ButtonLink href={`/projects/${projectId}/scenarios`}>Go to scenarios</ButtonLink>}
            >
              {data.reason}
            </EmptyState>
          </Card>
        )}
        {data?.errors && data.target !== null && (
          <TargetOf column={data.target}>
            <Record record={data} errors={data.errors} target={data.target} />
          </TargetOf>
        )}
        <DecisionsCard projectId={projectId} />
      </div>
    </>
  );
}

function Record({ record, errors, target }: { record: TrackRecord; errors: ForecastErrors; target: string }) {
  const displays = useDisplays();
  const calendar = useCalendar();
  const prepared = useMemo(() => {
    const style = { id: "served", title: "Last forecast", color: palette[0] ?? "var(--accent)" };
    return prepareSeries({ ...record, values: record.predicted }, style, calendar);
  }, [record, calendar]);
  const { baselineName, horizons, periods, period, isTotal, runs, omittedRuns, overrides } = record;
  const summary = describeErrors(errors, displays(target), baselineName, "prediction");
  const all: ErrorRow = { name: "All predictions", ...errors };
  return (
    <div className="space-y-6">
      <Card>
        <CardHeader
          title={isTotal ? "Forecast totals and what came" : "Forecasts and what came"}
          description={`${summary} ${biasText(periods, period)}`}
        />
        <div className="px-2 pb-3">
          <ComparisonChart
            prepared={prepared}
            measure="value"
            bands
            height={260}
            label={summary}
            withDifferences={false}
          />
          <p className="pl-[64px] text-xs text-ink-faint">
            The line and its 90 % band are the last forecast before each value. Dashed: what came.
            {isTotal && " Totals of many series have no naive forecast."}
          </p>
        </div>
      </Card>
      <Card>
        <CardHeader
          title="By steps ahead"
          description={`Predictions of ${counted(runs, "run")}. Forecast and naive forecast are compared on the same rows.${omittedRuns > 0 ? ` ${counted(omittedRuns, "older or longer run")} left out.` : ""}`}
        />
        <ErrorTable
          first="Steps ahead"
          baselineName={baselineName}
          rows={[...horizons.map((one) => ({ name: stepsName(one), ...one })), all]}
        />
      </Card>
      <Card>
        <CardHeader title="Over time" description="A positive bias means that the forecast was too high." />
        <ErrorTable
          first={periodHeads[period]}
          baselineName={baselineName}
          rows={[...periods.map((one) => ({ name: periodName(one.from, record), ...one })), all]}
        />
      </Card>
      {overrides && <OverrideRecordCard record={record} overrides={overrides} />}
    </div>
  );
}
