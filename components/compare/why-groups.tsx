import { useDisplays, useTarget } from "#components/display/displays.tsx";
import { DataTable } from "#components/ui/table.tsx";
import { partText } from "#components/why/prepare-why.ts";
import type { Difference } from "#lib/contract/scenario-differences";

type Group = NonNullable<Difference["groups"]>[number];

/** Number of parts that are named of each group. */
const PARTS_MAX = 4;

/** The explained difference by the values of one column: of each group its difference, and the largest parts of it. */
export function WhyGroups({
  by,
  groups,
  checkpoints,
  onOpen,
}: {
  by: string;
  groups: readonly Group[];
  /** Labels of both checkpoints. */
  checkpoints: string;
  onOpen(value: string): void;
}) {
  const target = useTarget();
  const displays = useDisplays();
  const format = (value: number) => target.signed(value);
  const partsOf = ({ parts }: Group) =>
    parts
      .slice(0, PARTS_MAX)
      .map(({ total, ...part }) => `${partText(part, checkpoints, displays).name} ${format(total)}`)
      .join(", ");
  return (
    <DataTable
      aria-label={`Differences by ${by}`}
      rows={groups}
      keyOf={({ values }) => values[by] ?? ""}
      columns={[
        [
          displays(by).name,
          ({ values, seriesCount }) => (
            <>
              <button
                type="button"
                dir="auto"
                title={`Show only ${values[by] || "series without a value"}`}
                className="rounded-sm text-left text-accent underline [overflow-wrap:anywhere]"
                onClick={() => onOpen(values[by] ?? "")}
              >
                {values[by] || "none"}
              </button>{" "}
              <span className="text-xs text-ink-faint">
                {seriesCount === 1 ? "1 series" : `${seriesCount.toLocaleString("en")} series`}
              </span>
            </>
          ),
        ],
        [
          target.head("Difference"),
          ({ totalDifference }) => format(totalDifference),
          "text-right whitespace-nowrap",
        ],
        ["Of which", (group) => partsOf(group) || "no part"],
      ]}
    />
  );
}
