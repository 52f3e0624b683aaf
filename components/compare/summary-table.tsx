import { type BucketChoice, bucketLink } from "#components/chart/bucket-state.ts";
import { lacksRows, rowsIn } from "#components/chart/describe-comparison.ts";
import type { PreparedComparison } from "#components/chart/prepare-comparison.ts";
import { SeriesMark } from "#components/chart/series-mark.tsx";
import { markerOf } from "#components/chart/series-style.ts";
import { useTarget } from "#components/display/displays.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { formatInteger, formatInterval, formatPercent, formatSigned } from "#components/ui/format.ts";
import { Link } from "#components/ui/link.tsx";
import { HiddenTh, Table, Td, Th } from "#components/ui/table.tsx";
import { splitRunName } from "#lib/contract/run-names";
import type { Comparison } from "#lib/contract/scenario-series";
import { differenceText } from "./difference-text.ts";

/** Returns the end of the path of a scenario's page, or of one of its runs. */
function pageOf(name: string, choice: BucketChoice): string {
  const { scenarioId, run } = splitRunName(name);
  return run === undefined
    ? `${scenarioId}${bucketLink(choice, "?")}`
    : `${scenarioId}?run=${run}${bucketLink(choice, "&")}`;
}

/** Lists each scenario's statistics and its difference from the baseline, all over one span. */
export function SummaryTable({
  projectId,
  comparison,
  shown,
  prepared,
  choice,
  onBaseline,
}: {
  projectId: string;
  /** Comparison over the span of the totals. */
  comparison: Comparison;
  /** Comparison over the shown span, which can be longer. */
  shown: Comparison;
  prepared: PreparedComparison;
  /** Aggregation of the page, which links keep. */
  choice: BucketChoice;
  onBaseline(id: string): void;
}) {
  const target = useTarget();
  const format = target.formatOf(
    comparison.series.flatMap(({ scenarioId, summary }) => {
      const { mean, min, max } = summary ?? comparison.scenarios.find(({ id }) => id === scenarioId)!.summary;
      return [mean, min, max];
    }),
  );
  const differenceFormat = target.formatOf(comparison.series.map(({ totalDifference }) => totalDifference));
  return (
    <Table>
      <thead>
        <tr>
          <Th>Scenario</Th>
          <Th className="text-right">{target.head("Difference")}</Th>
          <Th className="text-right">Difference (%)</Th>
          <Th className="text-right">{target.head("Sum, 90 % interval")}</Th>
          <Th className="text-right">{target.head("Mean")}</Th>
          <Th className="text-right">{target.head("Min")}</Th>
          <Th className="text-right">{target.head("Max")}</Th>
          <Th className="text-right">Rows</Th>
          <Th>Checkpoint</Th>
          <HiddenTh>Baseline</HiddenTh>
        </tr>
      </thead>
      <tbody className="figures">
        {comparison.series.map((series, index) => {
          const scenario = comparison.scenarios.find(({ id }) => id === series.scenarioId);
          const look = prepared.series[index];
          if (!scenario || look?.id !== scenario.id) return null;
          const summary = series.summary ?? scenario.summary;
          const rowCount = series.rowCount ?? scenario.rowCount;
          const allRows = rowsIn(shown, scenario.id);
          return (
            <tr key={scenario.id}>
              <Td>
                <Link
                  href={`/projects/${projectId}/scenarios/${pageOf(scenario.id, choice)}`}
                  title={scenario.title}
                  className="flex max-w-80 min-w-44 items-center gap-2.5 rounded-sm font-medium [overflow-wrap:anywhere] hover:underline sm:min-w-48 2xl:min-w-64 print:min-w-28"
                >
                  <SeriesMark color={look.color} dash={look.dash} marker={markerOf(index)} />
                  <span dir="auto" className="line-clamp-2 min-w-0">
                    {scenario.title}
                  </span>
                </Link>
              </Td>
              {look.isBaseline || series.totalDifference !== null ? (
                <>
                  <Td className="text-right font-medium">
                    {look.isBaseline ? "–" : formatSigned(series.totalDifference, differenceFormat)}
                    {!look.isBaseline && (
                      <span className="block min-w-36 text-xs font-normal text-balance text-ink-faint">
                        {differenceText(series, differenceFormat)}
                      </span>
                    )}
                  </Td>
                  <Td className="text-right font-medium">
                    {look.isBaseline ? "–" : formatPercent(series.percentDifference)}
                  </Td>
                </>
              ) : (
                <Td colSpan={2} className="text-right text-ink-faint">
                  no rows in common
                </Td>
              )}
              <Td className="text-right whitespace-nowrap">
                {target.format(summary.sum)}
                {summary.sumInterval && (
                  <span className="block text-xs text-ink-faint">
                    {formatInterval(summary.sumInterval.lower, summary.sumInterval.upper, target.format)}
                  </span>
                )}
              </Td>
              <Td className="text-right">{format(summary.mean)}</Td>
              <Td className="text-right">{format(summary.min)}</Td>
              <Td className="text-right">{format(summary.max)}</Td>
              <Td className="text-right whitespace-nowrap">
                {formatInteger(rowCount)}
                {allRows > rowCount && (
                  <span className="block text-xs text-warn">of {formatInteger(allRows)}</span>
                )}
                {lacksRows(comparison, series) && (
                  <span className="block text-xs text-warn">
                    {formatInteger(series.valueCount)} predicted
                  </span>
                )}
              </Td>
              <Td
                className="max-w-40 text-ink-soft 2xl:max-w-56"
                title={scenario.checkpointLabel ?? undefined}
              >
                <span dir="auto" className="line-clamp-2 [overflow-wrap:anywhere]">
                  {scenario.checkpointLabel}
                </span>
              </Td>
              <Td className="text-right">
                {look.isBaseline ? (
                  <Badge tone="accent">Baseline</Badge>
                ) : (
                  <Button
                    size="sm"
                    look="quiet"
                    className="-mr-2.5 print:hidden"
                    onClick={() => onBaseline(scenario.id)}
                  >
                    Set as baseline
                  </Button>
                )}
              </Td>
            </tr>
          );
        })}
      </tbody>
    </Table>
  );
}
