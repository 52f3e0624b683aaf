"use client";

import { useQueries } from "@tanstack/react-query";
import { queries } from "#components/api/queries.ts";
import { formatMetric, metricName } from "#components/model/metric-text.ts";
import { Dialog } from "#components/ui/dialog.tsx";
import { formatInteger, formatSigned } from "#components/ui/format.ts";
import { SkeletonRows } from "#components/ui/skeleton.tsx";
import { ErrorState } from "#components/ui/states.tsx";
import { Table, Td, Th } from "#components/ui/table.tsx";
import { Time } from "#components/ui/time.tsx";
import type { CheckpointDetail } from "#lib/contract/checkpoints";
import { compareCheckpoints } from "./compare-checkpoints.ts";

export function CompareDialog({
  projectId,
  ids,
  onClose,
}: {
  projectId: string;
  ids: readonly [string, string];
  onClose(): void;
}) {
  const [first, second] = useQueries({ queries: ids.map((id) => queries.checkpoint(projectId, id)) });
  const error = first?.error ?? second?.error;
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="Compare checkpoints" width="lg">
      {error && (
        <ErrorState
          error={error}
          onRetry={() => {
            void first?.refetch();
            void second?.refetch();
          }}
        />
      )}
      {!error && !(first?.data && second?.data) && <SkeletonRows rows={6} />}
      {first?.data && second?.data && <Differences first={first.data} second={second.data} />}
    </Dialog>
  );
}

function Differences({ first, second }: { first: CheckpointDetail; second: CheckpointDetail }) {
  const { metrics, features, steps } = compareCheckpoints(first, second);
  const lists = [
    ["Only in this checkpoint: input features", features],
    ["Only in this checkpoint: engineering", steps],
  ] as const;
  return (
    <div className="-mx-5">
      <Table>
        <thead>
          <tr>
            <Th>
              <span className="sr-only">Property</span>
            </Th>
            <Th className="!whitespace-normal">{first.label}</Th>
            <Th className="!whitespace-normal">{second.label}</Th>
            <Th className="text-right">Difference</Th>
          </tr>
        </thead>
        <tbody className="figures align-top">
          <tr>
            <Td className="text-ink-soft">Model</Td>
            <Td>{first.modelName}</Td>
            <Td>{second.modelName}</Td>
            <Td />
          </tr>
          <tr>
            <Td className="text-ink-soft">Trained</Td>
            <Td>
              <Time at={first.trainedAt} />
            </Td>
            <Td>
              <Time at={second.trainedAt} />
            </Td>
            <Td />
          </tr>
          <tr>
            <Td className="text-ink-soft">Training rows</Td>
            <Td>{formatInteger(first.trainingRows)}</Td>
            <Td>{formatInteger(second.trainingRows)}</Td>
            <Td className="text-right">{formatSigned(second.trainingRows - first.trainingRows)}</Td>
          </tr>
          {metrics.map(({ name, first: left, second: right }) => (
            <tr key={name}>
              <Td className="text-ink-soft">{metricName(name)}, validation</Td>
              <Td>{formatMetric(name, left)}</Td>
              <Td>{formatMetric(name, right)}</Td>
              <Td className="text-right">
                {left === null || right === null ? "–" : formatSigned(right - left)}
              </Td>
            </tr>
          ))}
          {lists.map(([title, { onlyFirst, onlySecond }]) => (
            <tr key={title}>
              <Td className="text-ink-soft">{title}</Td>
              {[onlyFirst, onlySecond].map((items, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the first and the second checkpoint
                <Td key={index}>
                  {items.length === 0 ? (
                    <span className="text-ink-faint">none</span>
                  ) : (
                    <ul className="space-y-0.5">
                      {items.map((item) => (
                        <li key={item}>{item}</li>
                      ))}
                    </ul>
                  )}
                </Td>
              ))}
              <Td />
            </tr>
          ))}
        </tbody>
      </Table>
    </div>
  );
}
