"use client";

import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import dynamic from "next/dynamic";
import { useQueryState, useQueryStates } from "nuqs";
import { type Dispatch, type ReactNode, type SetStateAction, useEffect, useState } from "react";
import { queries } from "#components/api/queries.ts";
import { useMay } from "#components/api/viewer.tsx";
import { Button, ButtonLink } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { ForkDrawing } from "#components/ui/fork-drawing.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { ShowMore } from "#components/ui/show-more.tsx";
import { EmptyState, QueryState } from "#components/ui/states.tsx";
import { HiddenTh, Table, Th } from "#components/ui/table.tsx";
import type { Job } from "#lib/contract/jobs";
import type { Scenario } from "#lib/contract/scenarios";
import { deleteLater, useLeaving } from "./delete-later.ts";
import { ScenarioFilterBar } from "./scenario-filter-bar.tsx";
import {
  differInCover,
  isFiltered,
  type ListState,
  listParsers,
  listQuery,
  noFilters,
} from "./scenario-list.ts";
import { ScenarioRow, wide } from "./scenario-row.tsx";
import { commonBase, treeOrder } from "./scenario-tree.ts";
import { SelectionBar } from "./selection-bar.tsx";

const NewScenarioDialog = dynamic(() => import("./new-scenario-dialog.tsx"), { ssr: false });

export function ScenarioTable({ projectId }: { projectId: string }) {
  const mayCreate = useMay()("createScenario");
  const [state, setState] = useQueryStates(listParsers, { history: "replace" });
  const scenarios = useInfiniteQuery({
    ...queries.scenarios(projectId, listQuery(state)),
    // Typing in the search keeps the table in its place.
    placeholderData: (previous) => previous,
  });
  const jobs = useInfiniteQuery(queries.jobs(projectId));
  const [opened, setOpened] = useQueryState("open");
  const [proposedId, setProposedId] = useQueryState("checkpoint");
  const [base, setBase] = useState<Scenario | null>(null);
  const [ticked, setTicked] = useState<readonly Scenario[]>([]);
  const leaving = useLeaving();
  const isTree = state.view === "tree";
  useWhole(scenarios, isTree);
  const listed = (scenarios.data ?? []).filter(({ id }) => !leaving.has(id));
  const rows = isTree ? treeOrder(listed) : listed.map((scenario) => ({ scenario, depth: 0 }));
  // The list holds the current version of a selected scenario, unless a filter hides it.
  const selected = ticked
    .filter(({ id }) => !leaving.has(id))
    .map((one) => listed.find(({ id }) => id === one.id) ?? one);
  const comparable = selected.filter(({ status }) => status === "Completed").map(({ id }) => id);
  const jobOf = new Map(jobs.data?.map((job) => [job.id, job] as const));
  const close = () => {
    setBase(null);
    return Promise.all([setOpened(null), setProposedId(null)]);
  };
  const create = mayCreate && (
    <Button look="primary" onClick={() => setOpened("new-scenario")}>
      <Plus className="size-4" /> New scenario
    </Button>
  );
  const isEmpty = scenarios.data !== undefined && listed.length === 0;
  const filters = useQuery({ ...queries.scenarioFilters(projectId), enabled: isEmpty });
  const allArchived = isEmpty && !isFiltered(state) && (filters.data?.archived ?? 0) > 0;
  return (
    <>
      <PageHeader
        title="Scenarios"
        description="Each scenario runs an input through a checkpoint. Select two or more to compare."
        actions={
          <>
            {comparable.length >= 2 ? (
              <ButtonLink
                href={`/projects/${projectId}/scenarios/compare?ids=${comparable.join(",")}&baselineId=${commonBase(comparable, [...selected, ...listed])}`}
              >
                Compare {comparable.length}
              </ButtonLink>
            ) : (
              <Button disabled>Compare</Button>
            )}
            {create}
          </>
        }
      />
      <Card>
        {(!isEmpty || isFiltered(state) || allArchived) && (
          <ScenarioFilterBar
            projectId={projectId}
            state={state}
            onChange={(change) => void setState(change)}
          />
        )}
        {selected.length > 0 && (
          <SelectionBar projectId={projectId} selected={selected} onClear={() => setTicked([])} />
        )}
        <QueryState query={scenarios} />
        {isEmpty && (
          <EmptyList
            isFiltered={isFiltered(state)}
            allArchived={allArchived}
            create={create}
            onChange={(change) => void setState(change)}
          />
        )}
        {rows.length > 0 && (
          <Rows
            rows={rows}
            jobOf={jobOf}
            selected={selected}
            setTicked={setTicked}
            onAdjust={setBase}
            onTag={(tag) => void setState({ tag })}
          />
        )}
        {differInCover(listed) && (
          <p className="border-t px-4 py-2.5 text-xs text-ink-faint sm:px-5">
            Means and totals cover different times. Compare scenarios for their common span.
          </p>
        )}
        {!isTree && <ShowMore list={scenarios}>Show more scenarios</ShowMore>}
      </Card>
      {(opened === "new-scenario" || base) && mayCreate && (
        <NewScenarioDialog projectId={projectId} base={base} checkpointId={proposedId} onClose={close} />
      )}
    </>
  );
}

function EmptyList({
  isFiltered,
  allArchived,
  create,
  onChange,
}: {
  isFiltered: boolean;
  allArchived: boolean;
  /** Button that creates a scenario; false if the role does not permit it. */
  create: ReactNode;
  onChange(change: Partial<ListState>): void;
}) {
  if (isFiltered)
    return (
      <EmptyState
        title="No matching scenarios"
        action={<Button onClick={() => onChange(noFilters)}>Clear filters</Button>}
      >
        Search finds words in titles, descriptions, notes, tags and file names.
      </EmptyState>
    );
  if (allArchived)
    return (
      <EmptyState
        title="All scenarios are archived"
        action={<Button onClick={() => onChange({ archived: "true" })}>Show archived</Button>}
      >
        {create ? "Select archived scenarios to restore them." : "Archived scenarios can still be compared."}
      </EmptyState>
    );
  return (
    <EmptyState title="No scenarios yet" drawing={<ForkDrawing />} action={create}>
      {create
        ? "Upload inputs as CSV, or generate inputs up to a date, and see what the model predicts."
        : "Analysts and admins of the project create scenarios."}
    </EmptyState>
  );
}

function Rows({
  rows,
  jobOf,
  selected,
  setTicked,
  onAdjust,
  onTag,
}: {
  rows: readonly { scenario: Scenario; depth: number }[];
  jobOf: ReadonlyMap<string, Job>;
  selected: readonly Scenario[];
  setTicked: Dispatch<SetStateAction<readonly Scenario[]>>;
  onAdjust(scenario: Scenario): void;
  onTag(tag: string): void;
}) {
  const client = useQueryClient();
  const isTicked = ({ id }: Scenario) => selected.some((one) => one.id === id);
  const allTicked = rows.every(({ scenario }) => isTicked(scenario));
  const without = (scenarios: readonly Scenario[], id: string) => scenarios.filter((one) => one.id !== id);
  return (
    <Table>
      <thead>
        <tr>
          <Th>
            <Checkbox
              checked={allTicked}
              onChange={() => setTicked(allTicked ? [] : rows.map(({ scenario }) => scenario))}
              aria-label="Select all listed scenarios"
            />
          </Th>
          <Th>Scenario</Th>
          <Th className={wide}>Source</Th>
          <Th className={wide}>Checkpoint</Th>
          <Th className={wide}>Status</Th>
          <Th className={wide}>Predictions</Th>
          <Th className={`${wide} text-right`}>Rows</Th>
          <Th className={`${wide} text-right`}>Mean</Th>
          <Th className={wide}>Created</Th>
          <HiddenTh>Actions</HiddenTh>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ scenario, depth }) => (
          <ScenarioRow
            key={scenario.id}
            scenario={scenario}
            depth={depth}
            job={jobOf.get(scenario.jobId)}
            ticked={isTicked(scenario)}
            onTick={() =>
              setTicked((before) =>
                before.some(({ id }) => id === scenario.id)
                  ? without(before, scenario.id)
                  : [...before, scenario],
              )
            }
            onAdjust={() => onAdjust(scenario)}
            onDelete={() => {
              deleteLater(client, [scenario]);
              setTicked((before) => without(before, scenario.id));
            }}
            onTag={onTag}
          />
        ))}
      </tbody>
    </Table>
  );
}

/** Reads a list to its end, or to its first error: a tree needs the base of every scenario. */
function useWhole(
  list: { hasNextPage: boolean; isFetching: boolean; isError: boolean; fetchNextPage(): unknown },
  enabled: boolean,
): void {
  const { hasNextPage, isFetching, isError, fetchNextPage } = list;
  const isDue = enabled && hasNextPage && !isFetching && !isError;
  useEffect(() => {
    if (isDue) fetchNextPage();
  }, [isDue, fetchNextPage]);
}
