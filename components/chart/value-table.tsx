import { rowLabels } from "#components/chart/axis.ts";
import type { PreparedComparison } from "#components/chart/prepare-comparison.ts";
import { useTarget } from "#components/display/displays.tsx";
import { PointTable } from "./point-table.tsx";

/** Lists the values of each series, and the differences from the baseline. */
export function ValueTable({ prepared }: { prepared: PreparedComparison }) {
  const { series } = prepared;
  const target = useTarget();
  return (
    <PointTable
      label="Values"
      className="max-h-120"
      axis={prepared}
      labelOf={rowLabels(prepared)}
      columns={series.map(({ id, title, isBaseline, values, differences }) => ({
        id,
        title: target.head(title),
        cell: (at) => (
          <>
            {target.format(values[at])}
            {!isBaseline && (
              <span className="ml-2 text-xs text-ink-faint">{target.signed(differences?.[at])}</span>
            )}
          </>
        ),
      }))}
    />
  );
}
