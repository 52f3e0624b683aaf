import { formatShare } from "#components/ui/format.ts";
import { counted } from "#lib/contract/counted";
import type { Stability } from "#lib/contract/stability";

/** Shows how far the forecast moved with a run, beside the largest move of all runs. */
export function MovedBar({ stability: { runs }, runId }: { stability: Stability; runId: string }) {
  const moved = runs.find((run) => run.runId === runId)?.relativeChange ?? null;
  if (moved === null) return <span className="text-ink-faint">–</span>;
  const largest = Math.max(...runs.map(({ relativeChange }) => relativeChange ?? 0), Number.MIN_VALUE);
  return (
    <span className="inline-flex items-center gap-2 whitespace-nowrap">
      <span aria-hidden="true" className="flex h-3 w-16 justify-end max-xl:hidden">
        <span className="rounded-l-sm bg-ink-faint" style={{ width: `${(moved / largest) * 100}%` }} />
      </span>
      {formatShare(moved)}
    </span>
  );
}

/** States the figure of stability, and how it is defined. */
export function StabilityNote({ stability: { relativeChange, rows, runs } }: { stability: Stability }) {
  const figure = relativeChange === null ? "–" : formatShare(relativeChange);
  const pairs = runs.filter((run) => run.rows > 0).length;
  return (
    <p className="px-5 pt-1 pb-4 text-[13px] text-ink-soft">
      <span className="font-medium text-ink">Stability: the forecast moved by {figure} from run to run.</span>{" "}
      This is the mean absolute change, divided by the mean absolute forecast of the former run. It covers{" "}
      {counted(rows, "forecast")} of {counted(pairs, "pair")} of runs, at times that both predict and the
      newer run did not know.
    </p>
  );
}
