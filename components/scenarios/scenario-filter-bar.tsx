"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { queries } from "#components/api/queries.ts";
import { statusTones } from "#components/jobs/job-text.ts";
import { Select } from "#components/ui/input.tsx";
import { Segments } from "#components/ui/segments.tsx";
import { useDebounced } from "#components/ui/use-debounced.ts";
import type { ScenarioFilters } from "#lib/contract/scenario-list";
import type { Scenario } from "#lib/contract/scenarios";
import { type ListState, orders } from "./scenario-list.ts";
import { ScenarioSearch } from "./scenario-search.tsx";

export const sourceNames: Record<Scenario["source"], string> = {
  Upload: "CSV",
  Generated: "Generated",
  Clone: "Adjusted",
};

const noFilterValues: ScenarioFilters = { tags: [], authors: [], archived: 0 };

/** Search, filters and order of the list of scenarios. */
export function ScenarioFilterBar({
  projectId,
  state,
  onChange,
}: {
  projectId: string;
  state: ListState;
  onChange(change: Partial<ListState>): void;
}) {
  const checkpoints = useQuery(queries.checkpoints(projectId)).data ?? [];
  const { tags, authors, archived } = useQuery(queries.scenarioFilters(projectId)).data ?? noFilterValues;
  const filter = (
    name: "status" | "source" | "checkpointId" | "tag" | "createdBy",
    label: string,
    options: [value: string, name: string][],
  ) => {
    const value = state[name];
    // A value from a link stays visible, even if no scenario has it any more.
    const isListed = value === "" || options.some(([option]) => option === value);
    return (
      <Select
        aria-label={label}
        className="sm:w-44!"
        value={value}
        onChange={(event) => onChange({ [name]: event.target.value })}
        options={isListed ? options : [...options, [value, value]]}
      >
        <option value="">{label}: all</option>
      </Select>
    );
  };
  return (
    <div className="flex flex-wrap items-center gap-2 border-b px-4 py-3 sm:px-5 print:hidden">
      <div className="flex w-full flex-wrap items-center justify-between gap-2">
        <Search value={state.search} onChange={(search) => onChange({ search })} />
        <Segments
          label="View"
          options={[
            ["list", "List"],
            ["tree", "Tree"],
          ]}
          value={state.view}
          onChange={(view) => onChange({ view })}
        />
      </div>
      <div className="grid w-full grid-cols-2 gap-2 sm:flex sm:w-auto sm:flex-wrap">
        {filter(
          "status",
          "Status",
          Object.keys(statusTones).map((status) => [status, status]),
        )}
        {filter("source", "Source", Object.entries(sourceNames))}
        {filter(
          "checkpointId",
          "Checkpoint",
          checkpoints.map(({ id, label }) => [id, label]),
        )}
        {filter(
          "tag",
          "Tag",
          tags.map(({ tag, count }) => [tag, `${tag} (${count})`]),
        )}
        {filter(
          "createdBy",
          "Author",
          authors.map(({ id, name }) => [id, name ?? "Former member"]),
        )}
        {(archived > 0 || state.archived !== "") && (
          <Select
            aria-label="Archive"
            className="sm:w-44!"
            value={state.archived}
            onChange={(event) => onChange({ archived: event.target.value as ListState["archived"] })}
            options={[
              ["", "Archived: hidden"],
              ["true", `Archived: only (${archived})`],
            ]}
          />
        )}
        <Select
          aria-label="Order"
          className="sm:w-40!"
          value={state.order}
          onChange={(event) => onChange({ order: event.target.value as ListState["order"] })}
          options={orders.map(([value, name]) => [value, name])}
        />
      </div>
    </div>
  );
}

/** Passes on the text once it has not changed for a moment. */
function Search({ value, onChange }: { value: string; onChange(value: string): void }) {
  const [text, setText] = useState(value);
  const settled = useDebounced(text, 250);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing changes the URL; a changed URL changes the text below
  useEffect(() => {
    if (settled !== value) onChange(settled);
  }, [settled]);
  useEffect(() => setText(value), [value]);
  return <ScenarioSearch value={text} onChange={setText} className="sm:w-80!" />;
}
