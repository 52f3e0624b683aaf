"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { queries } from "#components/api/queries.ts";
import { Button } from "#components/ui/button.tsx";
import { Card } from "#components/ui/card.tsx";
import { ForkDrawing } from "#components/ui/fork-drawing.tsx";
import { Link } from "#components/ui/link.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { ShowMore } from "#components/ui/show-more.tsx";
import { SkeletonRows } from "#components/ui/skeleton.tsx";
import { EmptyState, ErrorState } from "#components/ui/states.tsx";
import { Table, Th } from "#components/ui/table.tsx";
import { useOpened } from "#components/ui/use-opened.ts";
import type { Scenario } from "#lib/contract/scenarios";
import { ScenarioRow } from "./scenario-row.tsx";

const NewScenarioDialog = dynamic(
  () => import("./new-scenario-dialog.tsx").then((file) => file.NewScenarioDialog),
  { ssr: false },
);

export function ScenarioTable({ projectId }: { projectId: string }) {
  const scenarios = useInfiniteQuery(queries.scenarios(projectId));
  const jobs = useInfiniteQuery(queries.jobs(projectId));
  const [opened, setOpened] = useOpened();
  const [base, setBase] = useState<Scenario | null>(null);
  const [ticked, setTicked] = useState<readonly string[]>([]);
  const rows = scenarios.data?.pages.flatMap((page) => page.items) ?? [];
  const jobOf = new Map(jobs.data?.pages.flatMap((page) => page.items.map((job) => [job.id, job] as const)));
  const close = () => {
    setBase(null);
    void setOpened(null);
  };
  const create = (
    <Button look="primary" onClick={() => setOpened("new-scenario")}>
      <Plus className="size-4" /> New scenario
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Scenarios"
        description="Each scenario runs an input through a checkpoint. Select two or more to compare."
        actions={
          <>
            {ticked.length >= 2 ? (
              <Button asChild>
                <Link
                  href={`/projects/${projectId}/scenarios/compare?ids=${ticked.join(",")}&baselineId=${ticked[0]}`}
                >
                  Compare {ticked.length}
                </Link>
              </Button>
            ) : (
              <Button disabled>Compare</Button>
            )}
            {create}
          </>
        }
      />
      <Card>
        {scenarios.isPending && <SkeletonRows />}
        {scenarios.error && <ErrorState error={scenarios.error} onRetry={scenarios.refetch} />}
        {scenarios.data && rows.length === 0 && (
          <EmptyState title="No scenarios yet" drawing={<ForkDrawing />} action={create}>
            Upload inputs as CSV, or generate inputs up to a date, and see what the model predicts.
          </EmptyState>
        )}
        {rows.length > 0 && (
          <Table>
            <thead>
              <tr>
                <Th>
                  <span className="sr-only">Compare</span>
                </Th>
                <Th>Scenario</Th>
                <Th>Source</Th>
                <Th>Checkpoint</Th>
                <Th>Status</Th>
                <Th>Predictions</Th>
                <Th className="text-right">Rows</Th>
                <Th className="text-right">Mean</Th>
                <Th>Created</Th>
                <Th>
                  <span className="sr-only">Actions</span>
                </Th>
              </tr>
            </thead>
            <tbody>
              {rows.map((scenario) => (
                <ScenarioRow
                  key={scenario.id}
                  scenario={scenario}
                  job={jobOf.get(scenario.jobId)}
                  ticked={ticked.includes(scenario.id)}
                  onTick={() =>
                    setTicked((before) =>
                      before.includes(scenario.id)
                        ? before.filter((id) => id !== scenario.id)
                        : [...before, scenario.id],
                    )
                  }
                  onAdjust={() => setBase(scenario)}
                />
              ))}
            </tbody>
          </Table>
        )}
        <ShowMore list={scenarios}>Show older scenarios</ShowMore>
      </Card>
      {(opened === "new-scenario" || base) && (
        <NewScenarioDialog projectId={projectId} base={base} onClose={close} />
      )}
    </>
  );
}
