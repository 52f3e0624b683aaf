"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link2 } from "lucide-react";
import dynamic from "next/dynamic";
import { useQueryState } from "nuqs";
import { useState } from "react";
import { toast } from "sonner";
import { api, keys } from "#components/api/client.ts";
import { queries } from "#components/api/queries.ts";
import { startDownload } from "#components/api/start-download.ts";
import { useMay } from "#components/api/viewer.tsx";
import { changeResource } from "#components/edit/change-resource.ts";
import { formatMetric, metricName } from "#components/model/metric-text.ts";
import { Badge } from "#components/ui/badge.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { formatInteger } from "#components/ui/format.ts";
import { MenuItem, RowMenu } from "#components/ui/menu.tsx";
import { Td } from "#components/ui/table.tsx";
import { Time } from "#components/ui/time.tsx";
import { toastWithUndo } from "#components/ui/toast-undo.ts";
import type { Checkpoint } from "#lib/contract/checkpoints";

const CheckpointDialog = dynamic(() => import("./checkpoint-dialog.tsx"), { ssr: false });
const DeleteCheckpointDialog = dynamic(() => import("./delete-checkpoint-dialog.tsx"), { ssr: false });
const EditCheckpointDialog = dynamic(() => import("./edit-checkpoint-dialog.tsx"), { ssr: false });

export function CheckpointRow({
  checkpoint,
  linkedLabel,
  author,
  ticked,
  onTick,
}: {
  checkpoint: Checkpoint;
  /** Label of the linked checkpoint; null if the linked checkpoint belongs to another project or was deleted. */
  linkedLabel: string | null;
  author: string;
  ticked: boolean;
  onTick(): void;
}) {
  const address = `/api/v1/projects/${checkpoint.projectId}/checkpoints/${checkpoint.id}`;
  const [dialog, setDialog] = useState<"none" | "detail" | "edit" | "delete">("none");
  const [opened, setOpened] = useQueryState("open");
  const close = () => {
    setDialog("none");
    if (opened === checkpoint.id) void setOpened(null);
  };
  const makeDefault = useMakeDefault(checkpoint.projectId);
  const may = useMay();
  return (
    <tr className="figures">
      <Td>
        <Checkbox checked={ticked} onChange={onTick} aria-label={`Compare ${checkpoint.label}`} />
      </Td>
      <Td className="max-w-56 xl:max-w-80">
        <span className="flex min-w-40 items-center gap-2">
          <button
            type="button"
            onClick={() => setDialog("detail")}
            dir="auto"
            title={checkpoint.label}
            className="line-clamp-2 rounded-sm text-start font-medium [overflow-wrap:anywhere] hover:underline"
          >
            {checkpoint.label}
          </button>
          {checkpoint.isDefault && <Badge tone="accent">default</Badge>}
        </span>
        {checkpoint.description && (
          <p dir="auto" className="truncate text-xs text-ink-faint" title={checkpoint.description}>
            {checkpoint.description}
          </p>
        )}
        {checkpoint.linkedCheckpointId && (
          <p className="flex items-center gap-1 text-xs text-ink-faint">
            <Link2 className="size-3.5 shrink-0" aria-hidden="true" />
            <span className="truncate" title={linkedLabel ?? undefined}>
              saved together with {linkedLabel ? `“${linkedLabel}”` : "another project's checkpoint"}
            </span>
          </p>
        )}
      </Td>
      <Td className="whitespace-nowrap text-ink-soft">{checkpoint.modelName}</Td>
      <Td className="text-right whitespace-nowrap">
        <span className="mr-2 text-xs text-ink-faint">{metricName(checkpoint.targetMetric)}</span>
        {formatMetric(checkpoint.targetMetric, checkpoint.primaryMetricValue)}
      </Td>
      <Td className="text-right">
        {checkpoint.usedByScenarios ? (
          <button
            type="button"
            onClick={() => setDialog("detail")}
            aria-label={`Scenarios that use ${checkpoint.label}: ${checkpoint.usedByScenarios}`}
            className="rounded-sm text-accent hover:underline"
          >
            {formatInteger(checkpoint.usedByScenarios)}
          </button>
        ) : (
          <span className="text-ink-faint">{formatInteger(checkpoint.usedByScenarios)}</span>
        )}
      </Td>
      <Td className="whitespace-nowrap text-ink-faint">
        <Time at={checkpoint.createdAt} />
        <span className="block max-w-36 truncate text-xs" title={author}>
          by {author}
        </span>
      </Td>
      <Td className="text-right">
        <RowMenu row={checkpoint.label}>
          <MenuItem onSelect={() => setDialog("detail")}>Details</MenuItem>
          {may("updateCheckpoint") && (
            <>
              <MenuItem onSelect={() => setDialog("edit")}>Rename or describe</MenuItem>
              <MenuItem onSelect={() => makeDefault.mutate(checkpoint)} disabled={checkpoint.isDefault}>
                Make default
              </MenuItem>
            </>
          )}
          <MenuItem onSelect={() => startDownload(`${address}/export`)}>Export as a file</MenuItem>
          {may("deleteCheckpoint") && (
            <MenuItem danger onSelect={() => setDialog("delete")}>
              Delete
            </MenuItem>
          )}
        </RowMenu>
        {(dialog === "detail" || (dialog === "none" && opened === checkpoint.id)) && (
          <CheckpointDialog checkpoint={checkpoint} onClose={close} />
        )}
        {dialog === "edit" && <EditCheckpointDialog checkpoint={checkpoint} onClose={close} />}
        {dialog === "delete" && <DeleteCheckpointDialog checkpoint={checkpoint} onClose={close} />}
      </Td>
    </tr>
  );
}

/** Makes a checkpoint the default, with an optimistic update. Reverts if the service rejects the change, or on Undo. */
function useMakeDefault(projectId: string) {
  const client = useQueryClient();
  const { queryKey } = queries.checkpoints(projectId);
  const change = (id: string) => {
    const path = `/projects/${projectId}/checkpoints/${id}` as const;
    return changeResource(path, (_, etag) => api.put(path, { setAsDefault: true }, etag));
  };
  const refresh = () => client.invalidateQueries({ queryKey: keys.project(projectId) });
  return useMutation({
    mutationFn: ({ id }: Checkpoint) => change(id),
    onMutate: async ({ id }) => {
      await client.cancelQueries({ queryKey, exact: true });
      const before = client.getQueryData(queryKey);
      client.setQueryData(queryKey, (list) => list?.map((item) => ({ ...item, isDefault: item.id === id })));
      return before;
    },
    onSuccess: (_, { id, label }, before) => {
      const former = before?.find(({ isDefault }) => isDefault);
      const message = `“${label}” is now the default.`;
      if (!former) toast.success(message);
      else {
        toastWithUndo(message, async () => {
          const now = await client.fetchQuery({ ...queries.checkpoints(projectId), staleTime: 0 });
          if (!now.some((item) => item.id === id && item.isDefault)) {
            throw new Error("Another checkpoint has become the default in the meantime.");
          }
          await change(former.id).finally(refresh);
        });
      }
    },
    onError: (error, _, before) => {
      client.setQueryData(queryKey, before);
      toast.error(error.message);
    },
    onSettled: refresh,
  });
}
