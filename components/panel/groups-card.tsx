import type { ReactNode } from "react";
import { useTarget } from "#components/display/displays.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { Select } from "#components/ui/input.tsx";
import { Segments } from "#components/ui/segments.tsx";
import { SkeletonRows } from "#components/ui/skeleton.tsx";
import { ErrorState } from "#components/ui/states.tsx";
import { type GroupBar, GroupBars } from "./group-bars.tsx";
import { combineParams, type PanelChoice } from "./panel-state.ts";
import { CHARTS_STEP, type SmallChart, SmallCharts } from "./small-charts.tsx";

/** Number of bars at first, and after a click. More groups are found by opening one. */
export const GROUPS_FIRST = 20;
const GROUPS_MAX = 500;

const views = [
  ["bars", "Bars"],
  ["charts", "Charts"],
] as const;
const combinations = [
  ["sum", "Totals"],
  ["mean", "Means"],
] as const;

/** Returns the number of groups to request for a view that shows `count` of them. */
export const groupLimit = ({ parts }: Pick<PanelChoice, "parts">, count: number | null): number =>
  count ?? (parts === "charts" ? CHARTS_STEP : GROUPS_FIRST);

/** A group: a bar, and in charts its lines. */
export type ShownGroup = GroupBar & Pick<SmallChart, "label" | "prepared" | "bands">;

/** Card with the parts of the shown series by the values of one column, as ranked bars or small charts. */
export function GroupsCard({
  by,
  choice,
  weights = [],
  query,
  groups,
  colors,
  limit,
  actions,
  onLimit,
  onOpen,
  onChange,
}: {
  /** Column of the groups. */
  by: string;
  choice: PanelChoice;
  /** Inputs that can weigh means. */
  weights: readonly string[] | undefined;
  query: { error: Error | null; refetch(): unknown };
  /** Undefined while they load. */
  groups: readonly ShownGroup[] | undefined;
  colors: { total: string; difference: string | null };
  /** Number of requested groups. */
  limit: number;
  actions?: ReactNode;
  onLimit(limit: number): void;
  onOpen(value: string): void;
  onChange(change: Partial<PanelChoice>): void;
}) {
  const isCharts = choice.parts === "charts";
  const more = isCharts ? limit + CHARTS_STEP : GROUPS_MAX;
  return (
    <Card>
      <CardHeader
        title={`By ${by}`}
        description={descriptionOf(by, choice, weights, colors.difference !== null)}
        actions={
          <>
            {actions}
            <Segments
              label="How to combine series"
              options={combinations}
              value={choice.combine}
              onChange={(combine) => onChange({ combine, weight: null })}
            />
            {choice.combine === "mean" && weights.length > 0 && (
              <Select
                aria-label="Weight of each series"
                className="!w-auto max-w-48"
                value={choice.weight !== null && weights.includes(choice.weight) ? choice.weight : ""}
                onChange={({ target }) => onChange({ weight: target.value || null })}
                options={[["", "Equal weights"], ...weights.map((name) => [name, `By ${name}`] as const)]}
              />
            )}
            <Segments
              label="Parts as"
              options={views}
              value={choice.parts}
              onChange={(parts) => onChange({ parts })}
            />
          </>
        }
      />
      <div className="px-5 pb-5">
        {query.error && !groups && <ErrorState error={query.error} onRetry={query.refetch} />}
        {!groups && !query.error && <SkeletonRows rows={4} />}
        {groups &&
          (isCharts ? <Charts groups={groups} onOpen={onOpen} /> : <Bars {...{ groups, colors, onOpen }} />)}
        {groups && groups.length === limit && limit < GROUPS_MAX && (
          <Button size="sm" className="mt-3 print:hidden" onClick={() => onLimit(more)}>
            {isCharts ? `Show ${CHARTS_STEP} more` : "Show more groups"}
          </Button>
        )}
      </div>
    </Card>
  );
}

function descriptionOf(
  by: string,
  choice: PanelChoice,
  weights: readonly string[],
  isCompared: boolean,
): string {
  const { parts, combine } = choice;
  const { weight } = combineParams(choice, weights);
  const what =
    combine === "mean" ? `Means of the series${weight ? `, weighted by ${weight},` : ""}` : "Totals";
  const whose = parts === "bars" && isCompared ? " of the baseline, and differences from it," : "";
  const sum = combine === "sum" ? " They add up to the total." : "";
  const scale = parts === "charts" ? " Each chart has its own scale." : "";
  return `${what}${whose} by ${by}, largest first.${sum}${scale} Open one to see its parts.`;
}

type Opened = { groups: readonly ShownGroup[]; onOpen(value: string): void };

function Bars({ groups, colors, onOpen }: Opened & { colors: { total: string; difference: string | null } }) {
  const target = useTarget();
  return <GroupBars bars={groups} colors={colors} target={target} onOpen={onOpen} />;
}

function Charts({ groups, onOpen }: Opened) {
  const target = useTarget();
  const format = target.formatOf(groups.map(({ total }) => total));
  return (
    <SmallCharts
      charts={groups.map(({ value, seriesCount, total, ...chart }) => ({
        ...chart,
        key: value,
        title: value || "none",
        hint: `${total === null ? "–" : format(total)} · ${seriesCount === 1 ? "1 series" : `${seriesCount.toLocaleString("en")} series`}`,
        onOpen: () => onOpen(value),
      }))}
    />
  );
}
