"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { MoreHorizontal } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { toast } from "sonner";
import { api } from "#components/api/client.ts";
import { keys } from "#components/api/keys.ts";
import { JobProgress } from "#components/jobs/job-progress.tsx";
import { isActive, statusTones } from "#components/jobs/job-text.ts";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { ColorDot } from "#components/ui/color-dot.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { formatInteger, formatNumber } from "#components/ui/format.ts";
import { Link } from "#components/ui/link.tsx";
import { Menu, MenuItem } from "#components/ui/menu.tsx";
import { Td } from "#components/ui/table.tsx";
import { Time } from "#components/ui/time.tsx";
import type { Job } from "#lib/contract/jobs";
import type { Scenario } from "#lib/contract/scenarios";
import { Sparkline } from "./sparkline.tsx";

const EditScenarioDialog = dynamic(
  () => import("./edit-scenario-dialog.tsx").then((file) => file.EditScenarioDialog),
  { ssr: false },
);

const sources: Record<Scenario["source"], string> = {
  Upload: "CSV",
  Generated: "Generated",
  Clone: "Adjusted",
};

export function ScenarioRow({
  scenario,
  job,
  ticked,
  onTick,
  onAdjust,
}: {
  scenario: Scenario;
  job: Job | undefined;
  ticked: boolean;
  onTick(): void;
  onAdjust(): void;
}) {
  const client = useQueryClient();
  const [dialog, setDialog] = useState<"none" | "edit" | "delete">("none");
  const done = scenario.status === "Completed";
  const path = `/projects/${scenario.projectId}/scenarios/${scenario.id}`;
  const remove = useMutation({
    mutationFn: () => api.delete(path),
    onSuccess: () => toast.success(`Deleting “${scenario.title}”.`),
    onError: (error) => toast.error(error.message),
    onSettled: () => {
      setDialog("none");
      void client.invalidateQueries({ queryKey: keys.scenarios(scenario.projectId) });
    },
  });
  return (
    <tr className="figures">
      <Td>
        <input
          type="checkbox"
          className="block size-4 accent-accent"
          checked={ticked}
          disabled={!done}
          onChange={onTick}
          aria-label={`Compare ${scenario.title}`}
        />
      </Td>
      <Td className="max-w-52 lg:max-w-64">
        <Link href={path} className="flex items-center gap-2.5 rounded-sm font-medium hover:underline">
          <ColorDot color={scenario.color} />
          <span dir="auto" className="truncate" title={scenario.title}>
            {scenario.title}
          </span>
        </Link>
        {scenario.description && (
          <p dir="auto" className="truncate pl-5 text-xs text-ink-faint" title={scenario.description}>
            {scenario.description}
          </p>
        )}
      </Td>
      <Td className="text-ink-soft">{sources[scenario.source]}</Td>
      <Td className="max-w-44 text-ink-soft xl:max-w-56" title={scenario.checkpointLabel ?? undefined}>
        <bdi className="line-clamp-2 min-w-36 [overflow-wrap:anywhere]">{scenario.checkpointLabel}</bdi>
      </Td>
      <Td>
        {job && isActive(job) ? (
          <JobProgress job={job} />
        ) : (
          <Badge tone={statusTones[scenario.status]}>{scenario.status}</Badge>
        )}
      </Td>
      <Td>
        {done && <Sparkline projectId={scenario.projectId} scenarioId={scenario.id} color={scenario.color} />}
      </Td>
      <Td className="text-right">{formatInteger(scenario.rowCount)}</Td>
      <Td className="text-right">{formatNumber(scenario.summary?.mean)}</Td>
      <Td className="whitespace-nowrap text-ink-faint">
        <Time at={scenario.createdAt} />
      </Td>
      <Td className="text-right">
        <Menu
          trigger={
            <Button look="quiet" size="icon" aria-label={`Actions for ${scenario.title}`}>
              <MoreHorizontal className="size-4" />
            </Button>
          }
        >
          <MenuItem onSelect={() => setDialog("edit")}>Rename or recolour</MenuItem>
          <MenuItem onSelect={onAdjust} disabled={!done}>
            Adjust a copy
          </MenuItem>
          <MenuItem danger onSelect={() => setDialog("delete")}>
            Delete
          </MenuItem>
        </Menu>
        {dialog === "edit" && <EditScenarioDialog scenario={scenario} onClose={() => setDialog("none")} />}
        <ConfirmDialog
          open={dialog === "delete"}
          onCancel={() => setDialog("none")}
          onConfirm={() => remove.mutate()}
          busy={remove.isPending}
          title={`Delete “${scenario.title}”?`}
          action="Delete scenario"
        >
          The input and predictions are deleted too. The checkpoint stays.
        </ConfirmDialog>
      </Td>
    </tr>
  );
}
