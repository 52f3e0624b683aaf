import { formatColumn } from "#components/ui/format.ts";
import { Table, Td, Th } from "#components/ui/table.tsx";
import type { TrainingMetrics } from "#lib/contract/models";
import {
  formatMetric,
  improvementPercent,
  improvementText,
  metricMeaning,
  metricName,
  metricsOf,
  referenceTitle,
} from "./metric-text.ts";

/** Lists the metrics of the model and of its reference: naive forecast or base rate. Neither used these rows. */
export function MetricsTable({
  metrics,
  targetMetric,
  isTooGood = false,
}: {
  metrics: TrainingMetrics;
  targetMetric: string;
  /** Whether the accuracy is suspicious. Then no improvement is shown. */
  isTooGood?: boolean;
}) {
  const { train, validation, baseline } = metrics;
  const names = metricsOf(train, validation, baseline);
  if (names.length === 0) {
    return (
      <p className="px-5 pb-5 text-[13px] text-ink-faint">
        No metrics: the model was imported without rows with actuals.
      </p>
    );
  }
  return (
    <Table>
      <thead>
        <tr>
          <Th>Metric</Th>
          <Th className="text-right">Training</Th>
          <Th className="text-right">Validation</Th>
          <Th className="text-right">{referenceTitle(targetMetric)}</Th>
          <Th className="text-right">Difference</Th>
        </tr>
      </thead>
      <tbody className="figures">
        {names.map((name) => {
          const percent = isTooGood ? null : improvementPercent(name, validation?.[name], baseline?.[name]);
          const format = formatColumn([train?.[name], validation?.[name], baseline?.[name]]);
          return (
            <tr key={name} className={name === targetMetric ? "font-medium" : undefined}>
              <Td>
                <abbr title={metricMeaning(name)} className="no-underline">
                  {metricName(name)}
                </abbr>
                {name === targetMetric && (
                  <span className="ml-2 text-xs font-normal text-ink-faint">target</span>
                )}
              </Td>
              <Td className="text-right text-ink-soft">{formatMetric(name, train?.[name], format)}</Td>
              <Td className="text-right">{formatMetric(name, validation?.[name], format)}</Td>
              <Td className="text-right text-ink-soft">{formatMetric(name, baseline?.[name], format)}</Td>
              <Td
                className={
                  percent === null
                    ? "text-right whitespace-nowrap text-ink-faint"
                    : percent >= 0
                      ? "text-right whitespace-nowrap text-good"
                      : "text-right whitespace-nowrap text-bad"
                }
              >
                {improvementText(percent) ?? "–"}
              </Td>
            </tr>
          );
        })}
      </tbody>
    </Table>
  );
}
