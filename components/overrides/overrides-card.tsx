"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { toast } from "sonner";
import { api, keys } from "#components/api/client.ts";
import { queries } from "#components/api/queries.ts";
import { useMay } from "#components/api/viewer.tsx";
import { useCalendar, useTarget } from "#components/display/displays.tsx";
import { overrideText } from "#components/track-record/track-record-text.ts";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { QueryState } from "#components/ui/states.tsx";
import { type DataColumn, DataTable } from "#components/ui/table.tsx";
import { Time } from "#components/ui/time.tsx";
import { useMemberNames } from "#components/users/use-member-names.ts";
import type { ScenarioOverride } from "#lib/contract/overrides";
import type { Scenario } from "#lib/contract/scenarios";
import { changeText, spanText, whereText } from "./override-text.ts";

const AddOverrideDialog = dynamic(() => import("./add-override-dialog.tsx"), { ssr: false });

/** Lists the overrides of a scenario with times, adds new ones and removes them. */
export function OverridesCard({ scenario }: { scenario: Scenario }) {
  const { projectId, id } = scenario;
  const overrides = useQuery(queries.overrides(projectId, id));
  const mayAdd = useMay()("createOverride");
  const [isAdding, setIsAdding] = useState(false);
  const columns = useColumns(scenario);
  const { data } = overrides;
  const hasOverrides = data !== undefined && data.length > 0;
  const record = useQuery({ ...queries.trackRecord(projectId, id), enabled: hasOverrides });
  const added = record.data?.overrides;
  return (
    <Card>
      <CardHeader
        title="Overrides"
        description={
          hasOverrides
            ? `Charts, rows, comparisons and downloads show these values in place of the calculated ones.${added ? ` ${overrideText(added, record.data!.period)}` : ""}`
            : mayAdd
              ? "Replace or move the predictions of a span if you know better than the model."
              : "No predictions are replaced. Analysts and admins of the project add overrides."
        }
        actions={
          mayAdd && (
            <Button size="sm" onClick={() => setIsAdding(true)}>
              <Plus className="size-4" /> Add override
            </Button>
          )
        }
      />
      <QueryState query={overrides} rows={1} inCard />
      {hasOverrides && <DataTable columns={columns} rows={data} keyOf={(one) => one.id} />}
      {isAdding && <AddOverrideDialog scenario={scenario} onClose={() => setIsAdding(false)} />}
    </Card>
  );
}

function useColumns({ projectId, id }: Scenario): DataColumn<ScenarioOverride>[] {
  const client = useQueryClient();
  const calendar = useCalendar();
  const target = useTarget();
  const nameOf = useMemberNames();
  const mayRemove = useMay()("endOverride");
  const remove = useMutation({
    mutationFn: (one: ScenarioOverride) =>
      api.delete(`/projects/${projectId}/scenarios/${id}/overrides/${one.id}`),
    onSuccess: () => toast.success("The override was removed."),
    onError: (error) => toast.error(error.message),
    onSettled: () => client.invalidateQueries({ queryKey: keys.scenarios(projectId) }),
  });
  return [
    ["Span", (one) => spanText(one, calendar), "whitespace-nowrap"],
    [
      "Change",
      (one) => (
        <>
          {changeText(one, target)}
          {one.where && <bdi className="block text-xs text-ink-faint">{whereText(one)}</bdi>}
        </>
      ),
      "font-medium",
    ],
    [
      "Reason",
      (one) => (
        <span dir="auto" className="[overflow-wrap:anywhere]">
          {one.reason}
        </span>
      ),
      "min-w-40",
    ],
    [
      "Author",
      (one) => (
        <>
          {nameOf(one.createdBy)}, <Time at={one.createdAt} />
        </>
      ),
      "text-ink-soft",
    ],
    ...(mayRemove
      ? [
          [
            <span key="remove" className="sr-only">
              Remove
            </span>,
            (one: ScenarioOverride) => (
              <Button
                size="sm"
                look="quiet"
                aria-label={`Remove the override of ${spanText(one, calendar)}`}
                busy={remove.isPending && remove.variables.id === one.id}
                onClick={() => remove.mutate(one)}
              >
                Remove
              </Button>
            ),
            "text-right",
          ] as const,
        ]
      : []),
  ];
}
