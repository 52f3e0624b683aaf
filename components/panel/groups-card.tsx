import type { ReactNode } from "react";
import { useTarget } from "#components/display/displays.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { SkeletonRows } from "#components/ui/skeleton.tsx";
import { ErrorState } from "#components/ui/states.tsx";
import { type GroupBar, GroupBars } from "./group-bars.tsx";
import { openGroup, type PanelChoice } from "./panel-state.ts";

/** Number of groups at first, and after a click. More groups are found by opening one. */
export const GROUPS_FIRST = 20;
export const GROUPS_MAX = 500;

/** Card with the parts of the shown totals by the values of one column. */
export function GroupsCard({
  by,
  choice,
  columns,
  query,
  bars,
  colors,
  limit,
  actions,
  onLimit,
  onChange,
}: {
  /** Column of the groups. */
  by: string;
  choice: PanelChoice;
  columns: readonly string[];
  query: { error: Error | null; refetch(): unknown };
  /** Undefined while they load. */
  bars: readonly GroupBar[] | undefined;
  colors: { total: string; difference: string | null };
  /** Number of requested groups. */
  limit: number;
  actions?: ReactNode;
  onLimit(limit: number): void;
  onChange(choice: PanelChoice): void;
}) {
  const target = useTarget();
  const what = colors.difference === null ? "Totals" : "Totals of the baseline, and differences from it,";
  return (
    <Card>
      <CardHeader
        title={`By ${by}`}
        description={`${what} by ${by}, largest first. They add up to the total. Open one to see its parts.`}
        actions={actions}
      />
      <div className="px-5 pb-5">
        {query.error && !bars && <ErrorState error={query.error} onRetry={query.refetch} />}
        {!bars && !query.error && <SkeletonRows rows={4} />}
        {bars && (
          <GroupBars
            bars={bars}
            colors={colors}
            target={target}
            onOpen={(value) => onChange(openGroup(choice, { column: by, value }, columns))}
          />
        )}
        {bars && bars.length === limit && limit < GROUPS_MAX && (
          <Button size="sm" className="mt-3 print:hidden" onClick={() => onLimit(GROUPS_MAX)}>
            Show more groups
          </Button>
        )}
      </div>
    </Card>
  );
}
