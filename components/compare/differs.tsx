import { useDisplays } from "#components/display/displays.tsx";
import type { Shown } from "#components/display/shown.ts";
import { ColorDot } from "#components/ui/color-dot.tsx";
import { counted } from "#lib/contract/counted";
import type { Comparison } from "#lib/contract/scenario-series";
import { amountText } from "./amount-text.ts";

function Names({
  ids,
  comparison,
  amounts = [],
  changedRows,
  input,
}: {
  ids: string[];
  comparison: Comparison;
  amounts?: Comparison["differs"]["inputs"][number]["amounts"];
  /** Number of rows that any of the scenarios changes. */
  changedRows?: number;
  input?: Shown;
}) {
  return (
    <span className="inline-flex flex-wrap gap-x-3 gap-y-1">
      {ids.map((id) => {
        const scenario = comparison.scenarios.find((other) => other.id === id);
        const amount = amounts.find(({ scenarioId }) => scenarioId === id);
        return scenario ? (
          <span key={id} className="inline-flex min-w-0 flex-wrap items-center gap-x-1.5">
            <ColorDot color={scenario.color} />
            <span dir="auto" className="max-w-72 truncate" title={scenario.title}>
              {scenario.title}
            </span>
            {amount && input && <span className="figures font-medium">{amountText(amount, input)}</span>}
            {amount && amount.rows !== changedRows && (
              <span className="text-ink-faint">in {counted(amount.rows, "row")}</span>
            )}
          </span>
        ) : null;
      })}
    </span>
  );
}

/** Lists the differences between the scenarios: inputs, checkpoints and upstream checkpoints. */
export function Differs({ comparison }: { comparison: Comparison }) {
  const displays = useDisplays();
  const { inputs, checkpoints, dependentCheckpoints } = comparison.differs;
  const shares = comparison.series.some(
    ({ scenarioId, totalDifference }) => scenarioId !== comparison.baselineId && totalDifference !== null,
  );
  if (!shares) {
    return (
      <p className="px-5 pb-5 text-[13px] text-ink-faint">
        No other scenario shares a row with the baseline, so the inputs cannot be compared. Choose scenarios
        of the same period.
      </p>
    );
  }
  if (inputs.length + checkpoints.length + dependentCheckpoints.length === 0) {
    return (
      <p className="px-5 pb-5 text-[13px] text-ink-faint">
        No differences: the scenarios have the same inputs and checkpoints on their common rows.
      </p>
    );
  }
  const row = "grid gap-x-4 gap-y-1 border-t px-5 py-2.5 text-[13px] sm:grid-cols-[16rem_1fr]";
  return (
    <dl>
      {inputs.map(({ feature, scenarioIds, changedRows, amounts }) => (
        <div key={`input-${feature}`} className={row}>
          <dt className="flex flex-wrap content-start items-baseline gap-x-2">
            <span dir="auto" className="[overflow-wrap:anywhere]" title={feature}>
              {displays(feature).name}
            </span>
            <span className="whitespace-nowrap text-ink-faint">{counted(changedRows, "row")} changed</span>
          </dt>
          <dd>
            <Names
              ids={scenarioIds}
              comparison={comparison}
              amounts={amounts}
              changedRows={changedRows}
              input={displays(feature)}
            />
          </dd>
        </div>
      ))}
      {[...checkpoints, ...dependentCheckpoints].map(({ projectId, checkpointId, label, scenarioIds }) => (
        <div key={`${projectId}-${checkpointId}`} className={row}>
          <dt>
            {dependentCheckpoints.some((other) => other.checkpointId === checkpointId)
              ? "Upstream checkpoint"
              : "Checkpoint"}{" "}
            <span className="font-medium">{label}</span>
          </dt>
          <dd>
            <Names ids={scenarioIds} comparison={comparison} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
