"use client";

import { useQuery } from "@tanstack/react-query";
import { queries } from "#components/api/queries.ts";
import { useMay } from "#components/api/viewer.tsx";
import { AddRowsButton } from "#components/data/add-rows-button.tsx";
import { useDisplays } from "#components/display/displays.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { EmptyState, QueryState } from "#components/ui/states.tsx";
import type { Checkpoint } from "#lib/contract/checkpoints";
import { describeErrors } from "./describe-errors.ts";
import { type ErrorRow, ErrorTable } from "./error-table.tsx";
import { RecordChart } from "./record-chart.tsx";
import { periodHeads, periodName } from "./record-periods.ts";
import { sampledText } from "./same-rows-text.ts";

/** Shows the accuracy of the default checkpoint on rows that arrived after its model's data ended. */
export function RecordCard({ projectId, checkpoint }: { projectId: string; checkpoint: Checkpoint }) {
  const { id, label } = checkpoint;
  const displays = useDisplays();
  const mayAdd = useMay()("appendDatasetRows");
  const record = useQuery(queries.record(projectId, id));
  const { data } = record;
  const title = `Accuracy of “${label}” on new rows`;
  if (!data) return <QueryState query={record} rows={5} inCard />;
  const { errors, reason, target, baselineName, validation, periods, period, timezone, series } = data;
  if (!errors) {
    return (
      <Card>
        <CardHeader title={title} />
        <EmptyState title="No actuals yet" action={<AddRowsButton projectId={projectId} />}>
          {reason}
          {mayAdd && (
            <>
              {" "}
              Add newer rows here, or send them to{" "}
              <code className="font-mono text-xs">POST …/dataset/rows</code>. No training is needed.
            </>
          )}
        </EmptyState>
      </Card>
    );
  }
  const sampled = series && sampledText(series);
  const described = describeErrors(errors, displays(target), baselineName);
  const summary = sampled ? `${described} Each actual is of one of ${sampled}.` : described;
  const rows: ErrorRow[] = [
    ...periods.map((one) => ({ name: periodName(one.from, { period, timezone }), ...one })),
    { name: "All new rows", ...errors },
    { name: "Validation rows at training", ...validation },
  ];
  return (
    <Card>
      <CardHeader title={title} description={summary} />
      <RecordChart points={data} title={label} label={summary}>
        {errors.logLoss === undefined
          ? `The line and its 90 % band are ${sampled ? `sums over ${sampled}, predicted` : "predictions"} from the actual inputs. Dashed: actuals.`
          : "The line is the probability predicted from the actual inputs. Dashed: actuals, 0 or 1."}
      </RecordChart>
      <ErrorTable first={periodHeads[period]} baselineName={baselineName} rows={rows} />
    </Card>
  );
}
