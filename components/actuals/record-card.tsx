"use client";

import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { queries } from "#components/api/queries.ts";
import { ComparisonChart } from "#components/chart/comparison-chart.tsx";
import { prepareSeries } from "#components/chart/prepare-series.ts";
import { useCalendar, useDisplays } from "#components/display/displays.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { palette } from "#components/ui/palette.ts";
import { EmptyState, QueryState } from "#components/ui/states.tsx";
import type { Checkpoint } from "#lib/contract/checkpoints";
import { describeErrors } from "./describe-errors.ts";
import { type ErrorRow, ErrorTable } from "./error-table.tsx";
import { periodHeads, periodName } from "./record-periods.ts";

/** Shows the accuracy of the default checkpoint on rows that arrived after its model's data ended. */
export function RecordCard({ projectId, checkpoint }: { projectId: string; checkpoint: Checkpoint }) {
  const { id, label } = checkpoint;
  const displays = useDisplays();
  const calendar = useCalendar();
  const record = useQuery(queries.record(projectId, id));
  const { data } = record;
  const prepared = useMemo(() => {
    const style = { id, title: label, color: palette[0] ?? "var(--accent)" };
    return data?.errors && prepareSeries({ ...data, values: data.predicted }, style, calendar);
  }, [data, id, label, calendar]);
  const title = `Accuracy of “${label}” on new rows`;
  if (!data) return <QueryState query={record} rows={5} inCard />;
  const { errors, reason, target, baselineName, validation, periods, period, timezone } = data;
  if (!errors || !prepared) {
    return (
      <Card>
        <CardHeader title={title} />
        <EmptyState
          title="No actuals yet"
          action={<ButtonLink href={`/projects/${projectId}/data`}>Add rows</ButtonLink>}
        >
          {reason} Add newer rows on the Data page, or send them to{" "}
          <code className="font-mono text-xs">POST …/dataset/rows</code>. No training is needed.
        </EmptyState>
      </Card>
    );
  }
  const summary = describeErrors(errors, displays(target), baselineName);
  const rows: ErrorRow[] = [
    ...periods.map((one) => ({ name: periodName(one.from, { period, timezone }), ...one })),
    { name: "All new rows", ...errors },
    { name: "Validation rows at training", ...validation },
  ];
  return (
    <Card>
      <CardHeader title={title} description={summary} />
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
          {errors.logLoss === undefined
            ? "The line and its 90 % band are predictions from the actual inputs. Dashed: actuals."
            : "The line is the probability predicted from the actual inputs. Dashed: actuals, 0 or 1."}
        </p>
      </div>
      <ErrorTable first={periodHeads[period]} baselineName={baselineName} rows={rows} />
    </Card>
  );
}
