"use client";

import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useState } from "react";
import { queries } from "#components/api/queries.ts";
import { useMay } from "#components/api/viewer.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { RowPager } from "#components/ui/row-pager.tsx";
import { QueryState } from "#components/ui/states.tsx";
import { DataTable } from "#components/ui/table.tsx";
import type { DatasetRows } from "#lib/contract/dataset-versions";
import type { Dataset } from "#lib/contract/datasets";
import { valueText } from "./row-values.ts";

const RowDialog = dynamic(() => import("./row-dialog.tsx"), { ssr: false });

const pageSize = 10;
/** Maximum number of columns shown; a dataset may have ten thousand. */
const shownColumns = 20;

/** Shows the rows of the dataset, the last ten first, and corrects or deletes them. */
export function RowsCard({ projectId, dataset }: { projectId: string; dataset: Dataset }) {
  const mayEdit = useMay()("correctDatasetRows");
  const total = dataset.rowCount;
  const lastPage = Math.max(0, total - pageSize);
  const [chosen, setChosen] = useState<number | null>(null);
  const offset = Math.min(chosen ?? lastPage, lastPage);
  const rows = useQuery(queries.datasetRows(projectId, offset, pageSize));
  const [edited, setEdited] = useState<{ row: DatasetRows["rows"][number]; versionId: string } | null>(null);
  const columns = dataset.columns.slice(0, shownColumns);
  return (
    <Card>
      <CardHeader
        title="Rows"
        description={
          mayEdit &&
          "Correct or delete single rows. Each change makes a version, which can be undone in the history."
        }
        actions={<RowPager {...{ offset, pageSize, total, onOffset: setChosen }} />}
      />
      <QueryState query={rows} rows={pageSize} />
      {rows.data && (
        <DataTable
          rows={rows.data.rows}
          keyOf={({ row }) => row}
          columns={[
            ["Row", ({ row }) => row],
            ...columns.map(
              ({ name, type }) =>
                [
                  name,
                  ({ values }: DatasetRows["rows"][number]) => valueText(values[name] ?? null),
                  type === "number" ? "text-right whitespace-nowrap" : "whitespace-nowrap",
                ] as const,
            ),
            ...(mayEdit
              ? [
                  [
                    <span key="actions" className="sr-only">
                      Actions
                    </span>,
                    (row: DatasetRows["rows"][number]) => (
                      <Button
                        size="sm"
                        aria-label={`Edit row ${row.row}`}
                        onClick={() => setEdited({ row, versionId: rows.data.versionId })}
                      >
                        Edit
                      </Button>
                    ),
                    "text-right",
                  ] as const,
                ]
              : []),
          ]}
        />
      )}
      {dataset.columns.length > shownColumns && (
        <p className="px-5 py-3 text-xs text-ink-faint">
          The first {shownColumns} of {dataset.columns.length} columns.
        </p>
      )}
      {edited && (
        <RowDialog projectId={projectId} dataset={dataset} {...edited} onClose={() => setEdited(null)} />
      )}
    </Card>
  );
}
