import { rowLabels } from "#components/chart/axis.ts";
import type { PreparedComparison } from "#components/chart/prepare-comparison.ts";
import { useTarget } from "#components/display/displays.tsx";
import { formatSigned } from "#components/ui/format.ts";
import { PointTable } from "./point-table.tsx";

/** Lists the values of each series, and the differences from the baseline. */
export function ValueTable({ prepared }: { prepared: PreparedComparison }) {
  const { series } = prepared;
  const target = useTarget();
  const format = target.formatOf(series.flatMap(({ values }) => Array.from(values)));
  return (
    <PointTable
      label="Values"
      className="max-h-120"
      axis={prepared}
      labelOf={rowLabels(prepared)}
      columns={series.map(({ title, isBaseline, values, differences }) => [
        target.head(title),
        (at) => (
          <>
            {format(values[at])}
            {!isBaseline && (
              <span className="ml-2 text-xs text-ink-faint">{formatSigned(differences?.[at], format)}</span>
            )}
          </>
        ),
      ])}
    />
  );
}
