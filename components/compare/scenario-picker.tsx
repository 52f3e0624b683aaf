"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { queries } from "#components/api/queries.ts";
import { Button } from "#components/ui/button.tsx";
import { ColorDot } from "#components/ui/color-dot.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { SkeletonRows } from "#components/ui/skeleton.tsx";
import { ErrorState } from "#components/ui/states.tsx";
import { limits } from "#lib/contract/limits";

/** Selects the scenarios to compare: 2 to 20 scenarios with predictions. */
export function ScenarioPicker({
  projectId,
  selected,
  onChange,
  open,
  onOpenChange,
}: {
  projectId: string;
  selected: readonly string[];
  onChange(ids: string[]): void;
  open: boolean;
  onOpenChange(open: boolean): void;
}) {
  const scenarios = useInfiniteQuery({ ...queries.scenarios(projectId), enabled: open });
  const ready =
    scenarios.data?.pages.flatMap((page) => page.items).filter(({ status }) => status === "Completed") ?? [];
  const toggle = (id: string) =>
    onChange(selected.includes(id) ? selected.filter((other) => other !== id) : [...selected, id]);
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Scenarios to compare"
      description={`Choose ${limits.compareMin} to ${limits.compareMax}. Only scenarios with predictions are listed.`}
      footer={
        <Button look="primary" onClick={() => onOpenChange(false)}>
          Done
        </Button>
      }
    >
      {scenarios.isPending && <SkeletonRows rows={3} />}
      {scenarios.error && <ErrorState error={scenarios.error} onRetry={scenarios.refetch} />}
      <ul className="divide-y">
        {ready.map((scenario) => {
          const checked = selected.includes(scenario.id);
          return (
            <li key={scenario.id}>
              <label className="flex items-center gap-3 py-2.5">
                <input
                  type="checkbox"
                  className="size-4 accent-accent"
                  checked={checked}
                  disabled={!checked && selected.length >= limits.compareMax}
                  onChange={() => toggle(scenario.id)}
                />
                <ColorDot color={scenario.color} />
                <span className="min-w-0 flex-1">
                  <span dir="auto" className="block truncate" title={scenario.title}>
                    {scenario.title}
                  </span>
                  <span
                    dir="auto"
                    className="block truncate text-xs text-ink-faint"
                    title={scenario.checkpointLabel ?? undefined}
                  >
                    {scenario.checkpointLabel}
                  </span>
                </span>
              </label>
            </li>
          );
        })}
      </ul>
      {scenarios.hasNextPage && (
        <Button
          size="sm"
          className="mt-3"
          onClick={() => scenarios.fetchNextPage()}
          busy={scenarios.isFetchingNextPage}
        >
          Show older scenarios
        </Button>
      )}
    </Dialog>
  );
}
