import { WarningList } from "#components/csv/issue-list.tsx";
import { formatInteger, formatSeriesTimes } from "#components/ui/format.ts";
import type { Dataset } from "#lib/contract/datasets";
import { stepOf } from "#lib/contract/duration-text";
import { DatasetColumns } from "./dataset-columns.tsx";
import { frequencyText } from "./frequency-text.ts";
import { otherWarnings, SuspectList } from "./suspect-list.tsx";
import { TargetChart } from "./target-chart.tsx";

export function DatasetProfile({ projectId, dataset }: { projectId: string; dataset: Dataset }) {
  const { firstTimestamp, lastTimestamp } = dataset;
  const stretch = firstTimestamp && lastTimestamp ? formatSeriesTimes([firstTimestamp, lastTimestamp]) : [];
  const facts: [string, string][] = [
    ["Rows", formatInteger(dataset.rowCount)],
    ["Target", dataset.target],
    ["Frequency", frequencyText(stepOf(dataset))],
    ...(dataset.resample
      ? [
          ["Rows joined", `${frequencyText(dataset.resample.frequency)}, ${dataset.resample.statistic}`] as [
            string,
            string,
          ],
        ]
      : []),
    ...stretch.map((time, end): [string, string] => [end === 0 ? "From" : "To", time]),
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
      {/* Another version of the dataset resets the checkboxes. */}
      <DatasetColumns key={dataset.id} projectId={projectId} dataset={dataset} />
    </>
  );
}
