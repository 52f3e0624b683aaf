"use client";

import { useState } from "react";
import { useMay } from "#components/api/viewer.tsx";
import { ColumnTable } from "#components/csv/column-table.tsx";
import { WarningList } from "#components/csv/issue-list.tsx";
import { seriesTimes } from "#components/time/period.ts";
import { Button } from "#components/ui/button.tsx";
import { formatInteger } from "#components/ui/format.ts";
import { counted } from "#lib/contract/counted";
import type { Dataset } from "#lib/contract/datasets";
import { stepOf } from "#lib/contract/duration-text";
import { frequencyText } from "./frequency-text.ts";
import { otherWarnings, SuspectList } from "./suspect-list.tsx";
import { TargetChart } from "./target-chart.tsx";
import { excludedOf, useUpdateDataset } from "./use-update-dataset.ts";

export function DatasetProfile({ projectId, dataset }: { projectId: string; dataset: Dataset }) {
  const { firstTimestamp, lastTimestamp } = dataset;
  const stretch =
    firstTimestamp && lastTimestamp ? seriesTimes([firstTimestamp, lastTimestamp], dataset) : [];
  const joined = dataset.resample ? [dataset.resample] : [];
  const facts: [string, string][] = [
    ["Rows", formatInteger(dataset.rowCount)],
    ...(dataset.series ? [["Series", formatInteger(dataset.series.count)] satisfies [string, string]] : []),
    ["Target", dataset.target],
    ["Frequency", frequencyText(stepOf(dataset))],
    ...joined.map(({ frequency, statistic }): [string, string] => [
      "Rows joined",
      `${frequencyText(frequency)}, ${statistic}`,
    ]),
    ...stretch.map((time, end): [string, string] => [end === 0 ? "From" : "To", time]),
    ...(dataset.plannedRows > 0
      ? [["Planned rows", formatInteger(dataset.plannedRows)] satisfies [string, string]]
      : []),
  ];
  const hasNumbers = dataset.columns.some(({ name, type }) => name === dataset.target && type === "number");
  return (
    <>
      <dl className="grid grid-cols-2 gap-4 px-5 pb-4 sm:grid-cols-3 lg:grid-cols-5">
        {facts.map(([name, value]) => (
          <div key={name} className="min-w-0">
            <dt className="text-xs text-ink-faint">{name}</dt>
            <dd className="figures truncate font-medium" title={value}>
              {value}
            </dd>
          </div>
        ))}
      </dl>
      <div className="space-y-3 px-5 pb-4 empty:hidden">
        <SuspectList projectId={projectId} dataset={dataset} />
        <WarningList warnings={otherWarnings(dataset)} />
      </div>
      {/* Two classes have no line. */}
      {hasNumbers && <TargetChart projectId={projectId} dataset={dataset} />}
      <DatasetColumns projectId={projectId} dataset={dataset} />
    </>
  );
}

/**
 * Describes the stored columns. A checkbox excludes an input or uses it again, without a new upload. Choices that are not
 * saved yet remain when a newer version of the dataset arrives.
 */
function DatasetColumns({ projectId, dataset }: { projectId: string; dataset: Dataset }) {
  const update = useUpdateDataset(projectId);
  const mayChange = useMay()("updateDataset");
  const stored = new Set(excludedOf(dataset));
  /** Whether to exclude a column, by name, for each box that was clicked. */
  const [choices, setChoices] = useState<ReadonlyMap<string, boolean>>(new Map());
  const isExcluded = (name: string) => choices.get(name) ?? stored.has(name);
  const unread = new Set(
    dataset.warnings.filter(({ code }) => code === "excluded_column_unread").map(({ column }) => column),
  );
  // Their values name the series of each row.
  const seriesColumns = new Set(dataset.series?.columns);
  const changed = dataset.columns
    .map(({ name }) => name)
    .filter((name) => stored.has(name) !== isExcluded(name));
  const clear = () => setChoices(new Map());
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
          <Button size="sm" disabled={update.isPending} onClick={clear}>
            Discard
          </Button>
          <Button
            size="sm"
            look="primary"
            busy={update.isPending}
            onClick={() =>
              update.mutate(
                {
                  change: {
                    list: "exclude",
                    add: changed.filter(isExcluded),
                    remove: changed.filter((name) => !isExcluded(name)),
                  },
                  done: `Changed ${counted(changed.length, "column")}.`,
                },
                { onSuccess: clear },
              )
            }
          >
            Save columns
          </Button>
        </div>
      )}
      <ColumnTable
        columns={dataset.columns.map((column) =>
          seriesColumns.has(column.name) ? { ...column, role: "series" as const } : column,
        )}
        rowCount={dataset.rowCount}
        {...(mayChange && {
          use: {
            isUsed: (name) => !isExcluded(name),
            isFixed: (name) => unread.has(name) || update.isPending,
            onToggle: (name) => setChoices(new Map(choices).set(name, !isExcluded(name))),
          },
        })}
      />
    </>
  );
}
