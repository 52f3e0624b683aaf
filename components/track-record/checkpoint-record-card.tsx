"use client";

import { useTarget } from "#components/display/displays.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { formatInteger } from "#components/ui/format.ts";
import { type DataColumn, DataTable } from "#components/ui/table.tsx";
import type { CheckpointErrors, TrackRecord } from "#lib/contract/track-record";

/** Shows the errors of earlier checkpoints beside those of the newest one. */
export function CheckpointRecordCard({ checkpoints, newestCheckpoint }: TrackRecord) {
  const target = useTarget();
  const format = target.formatOf(checkpoints.flatMap(({ own, newest }) => [own.mae, newest.mae]));
  const columns: DataColumn<CheckpointErrors>[] = [
    [
      "Checkpoint",
      ({ label }) => (
        <span dir="auto" className="[overflow-wrap:anywhere]">
          {label}
        </span>
      ),
      "min-w-40 font-medium",
    ],
    ["Rows", (row) => formatInteger(row.rows), "text-right"],
    ["MAE", ({ own }) => format(own.mae), "text-right"],
    ["MAE of the newest", ({ newest }) => format(newest.mae), "text-right"],
  ];
  return (
    <Card>
      <CardHeader
        title="By checkpoint"
        description={`Earlier checkpoints beside “${newestCheckpoint}”, the newest one, on times that both predicted from as many steps before. Without overrides.`}
      />
      <DataTable columns={columns} rows={checkpoints} keyOf={({ label }, at) => `${label} ${at}`} />
    </Card>
  );
}
