"use client";

import { useState } from "react";
import { ColumnTable } from "#components/csv/column-table.tsx";
import { Button } from "#components/ui/button.tsx";
import { counted } from "#lib/contract/counted";
import type { Dataset } from "#lib/contract/datasets";
import { excludedOf, useUpdateDataset } from "./use-update-dataset.ts";

/** Describes the stored columns. A checkbox excludes an input or uses it again, without a new upload. */
export function DatasetColumns({ projectId, dataset }: { projectId: string; dataset: Dataset }) {
  const update = useUpdateDataset(projectId, dataset);
  const stored = new Set(excludedOf(dataset));
  const [chosen, setChosen] = useState<ReadonlySet<string>>(stored);
  const unread = new Set(
    dataset.warnings.filter(({ code }) => code === "excluded_column_unread").map(({ column }) => column),
  );
  const changed = dataset.columns.filter(({ name }) => stored.has(name) !== chosen.has(name));
  return (
    <>
      {changed.length > 0 && (
        <div
          role="status"
          className="sticky top-13 z-10 flex flex-wrap items-center justify-end gap-2 border-y bg-accent-wash px-5 py-2"
        >
          <span className="mr-auto text-[13px]">
            {counted(changed.length, "column changes", "columns change")}. The next training uses the change.
          </span>
          <Button size="sm" disabled={update.isPending} onClick={() => setChosen(stored)}>
            Discard
          </Button>
          <Button
            size="sm"
            look="primary"
            busy={update.isPending}
            onClick={() =>
              update.mutate({
                change: { exclude: [...chosen] },
                done: `Changed ${counted(changed.length, "column")}.`,
              })
            }
          >
            Save columns
          </Button>
        </div>
      )}
      <ColumnTable
        columns={dataset.columns}
        rowCount={dataset.rowCount}
        use={{
          isUsed: (name) => !chosen.has(name),
          isFixed: (name) => unread.has(name) || update.isPending,
          onToggle: (name) =>
            setChosen(
              new Set(chosen.has(name) ? [...chosen].filter((one) => one !== name) : [...chosen, name]),
            ),
        }}
      />
    </>
  );
}
