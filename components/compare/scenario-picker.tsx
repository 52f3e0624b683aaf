"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { queries } from "#components/api/queries.ts";
import { queryOf } from "#components/api/query-of.ts";
import { ScenarioSearch } from "#components/scenarios/scenario-search.tsx";
import { commonBase } from "#components/scenarios/scenario-tree.ts";
import { Button } from "#components/ui/button.tsx";
import { ColorDot } from "#components/ui/color-dot.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { QueryState } from "#components/ui/states.tsx";
import { useDebounced } from "#components/ui/use-debounced.ts";
import { limits } from "#lib/contract/limits";
import { isRunName } from "#lib/contract/run-names";

/** Selects the scenarios to compare: 2 to 20 scenarios with predictions. */
export function ScenarioPicker({
  projectId,
  selected,
  titles,
  onChange,
  open,
  onOpenChange,
}: {
  projectId: string;
  selected: readonly string[];
  /** Titles of compared scenarios and runs. */
  titles: ReadonlyMap<string, string>;
  /** @param base the proposed baseline: the scenario that most of the others derive from */
  onChange(ids: string[], base: string | null): void;
  open: boolean;
  onOpenChange(open: boolean): void;
}) {
  const [text, setText] = useState("");
  const search = useDebounced(text, 250);
  const scenarios = useInfiniteQuery({
    ...queries.scenarios(projectId, queryOf({ status: "Completed", search })),
    enabled: open,
    placeholderData: (previous) => previous,
  });
  const ready = scenarios.data ?? [];
  const toggle = (id: string) => {
    const ids = selected.includes(id) ? selected.filter((other) => other !== id) : [...selected, id];
    onChange(ids, commonBase(ids, ready));
  };
  if (!open) return null;
  return (
    <Dialog
      onClose={() => onOpenChange(false)}
      title="Scenarios to compare"
      description={`Choose ${limits.compareMin} to ${limits.compareMax}. Only scenarios with predictions are listed.`}
      footer={
        <Button look="primary" onClick={() => onOpenChange(false)}>
          Done
        </Button>
      }
    >
      <ScenarioSearch value={text} onChange={setText} className="mb-2" />
      {scenarios.data && ready.length === 0 && (
        <p className="py-2.5 text-[13px] text-ink-faint">No matching scenarios.</p>
      )}
      <QueryState query={scenarios} rows={3} />
      <ul className="divide-y">
        {selected.filter(isRunName).map((id) => (
          <li key={id}>
            <label className="flex items-center gap-3 py-2.5">
              <input type="checkbox" className="size-4 accent-accent" checked onChange={() => toggle(id)} />
              <span dir="auto" className="min-w-0 flex-1 truncate">
                {titles.get(id) ?? "Run"}
              </span>
            </label>
          </li>
        ))}
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
