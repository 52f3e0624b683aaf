import { Badge } from "#components/ui/badge.tsx";
import { formatInteger } from "#components/ui/format.ts";
import { Table, Td, Th } from "#components/ui/table.tsx";
import { Time } from "#components/ui/time.tsx";
import type { Model } from "#lib/contract/models";
import { formatMetric, metricName } from "./metric-text.ts";

/** Lists every model of the project, newest first. */
export function ModelHistory({
  models,
  authorOf,
}: {
  models: readonly Model[];
  authorOf(userId: string): string;
}) {
  return (
    <Table>
      <thead>
        <tr>
          <Th>Model</Th>
          <Th>Metric</Th>
          <Th className="text-right">Validation</Th>
          <Th className="text-right">Naive forecast</Th>
          <Th className="text-right">Rows</Th>
          <Th>Trained</Th>
          <Th>By</Th>
        </tr>
      </thead>
      <tbody className="figures">
        {models.map((model) => (
          <tr key={model.id}>
            <Td className="whitespace-nowrap">
              <span className="font-medium">{model.modelName}</span>
              {model.isCurrent && (
                <span className="ml-2">
                  <Badge tone="accent">current</Badge>
                </span>
              )}
              {model.source === "imported" && (
                <span className="ml-2">
                  <Badge>imported</Badge>
                </span>
              )}
            </Td>
            <Td className="text-ink-soft">{metricName(model.targetMetric)}</Td>
            <Td className="text-right">{formatMetric(model.targetMetric, model.primaryMetricValue)}</Td>
            <Td className="text-right text-ink-soft">
              {formatMetric(model.targetMetric, model.trainingMetrics.baseline?.[model.targetMetric])}
            </Td>
            <Td className="text-right">{formatInteger(model.trainingRows)}</Td>
            <Td className="text-ink-faint">
              <Time at={model.trainedAt} />
            </Td>
            <Td className="max-w-40 truncate text-ink-soft">{authorOf(model.createdBy)}</Td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
