"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Archive, ArchiveRestore, Palette, RotateCw, Tag, Trash2 } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { toast } from "sonner";
import { keys } from "#components/api/client.ts";
import { useMay } from "#components/api/viewer.tsx";
import { Button } from "#components/ui/button.tsx";
import { toastWithUndo } from "#components/ui/toast-undo.ts";
import { counted } from "#lib/contract/counted";
import type { Scenario, UpdateScenario } from "#lib/contract/scenarios";
import { changeAll } from "./change-all.ts";
import { deleteLater } from "./delete-later.ts";

const RunAgainDialog = dynamic(() => import("./run-again-dialog.tsx"), { ssr: false });
const dialogs = {
  tags: dynamic(async () => (await import("./bulk-edit-dialog.tsx")).BulkTagsDialog, { ssr: false }),
  color: dynamic(async () => (await import("./bulk-edit-dialog.tsx")).BulkColorDialog, { ssr: false }),
};

/** Actions on all selected scenarios. */
export function SelectionBar({
  projectId,
  selected,
  onClear,
}: {
  projectId: string;
  selected: readonly Scenario[];
  onClear(): void;
}) {
  const client = useQueryClient();
  const may = useMay();
  const [dialog, setDialog] = useState<"none" | "run" | "tags" | "color">("none");
  const close = () => setDialog("none");
  const refresh = () => client.invalidateQueries({ queryKey: keys.scenarios(projectId) });
  const edit = useMutation({
    mutationFn: (change: (stored: Scenario) => UpdateScenario | null) => changeAll(selected, change),
    onSuccess(changed) {
      if (changed.length > 0)
        toast.success(`${counted(changed.length, "scenario was", "scenarios were")} changed.`);
      close();
    },
    onSettled: refresh,
  });
  const allArchived = selected.every(({ archived }) => archived);
  const archive = useMutation({
    mutationFn: (archived: boolean) =>
      changeAll(selected, (stored) => (stored.archived === archived ? null : { archived })),
    onSuccess(changed, archived) {
      onClear();
      if (changed.length === 0) return;
      const count = counted(changed.length, "scenario was", "scenarios were");
      toastWithUndo(`${count} ${archived ? "archived" : "restored"}.`, () =>
        changeAll(changed, () => ({ archived: !archived })).finally(refresh),
      );
    },
    onSettled: refresh,
  });
  const EditDialog = dialog === "tags" || dialog === "color" ? dialogs[dialog] : null;
  return (
    <div className="flex flex-wrap items-center gap-2 border-b bg-sunken px-4 py-2 sm:px-5 print:hidden">
      <p className="mr-auto text-[13px] font-medium" aria-live="polite">
        {counted(selected.length, "scenario")} selected
      </p>
      {may("createScenarioRun") && (
        <Button size="sm" onClick={() => setDialog("run")}>
          <RotateCw className="size-3.5" /> Run again
        </Button>
      )}
      {may("updateScenario") && (
        <>
          <Button size="sm" onClick={() => setDialog("tags")}>
            <Tag className="size-3.5" /> Tags
          </Button>
          <Button size="sm" onClick={() => setDialog("color")}>
            <Palette className="size-3.5" /> Colour
          </Button>
          <Button size="sm" busy={archive.isPending} onClick={() => archive.mutate(!allArchived)}>
            {allArchived ? <ArchiveRestore className="size-3.5" /> : <Archive className="size-3.5" />}
            {allArchived ? "Restore" : "Archive"}
          </Button>
        </>
      )}
      {may("deleteScenario") && (
        <Button
          size="sm"
          look="danger"
          onClick={() => {
            deleteLater(client, selected);
            onClear();
          }}
        >
          <Trash2 className="size-3.5" /> Delete
        </Button>
      )}
      <Button size="sm" look="quiet" onClick={onClear}>
        Clear selection
      </Button>
      {dialog === "run" && <RunAgainDialog projectId={projectId} scenarios={selected} onClose={close} />}
      {EditDialog && (
        <EditDialog scenarios={selected} busy={edit.isPending} onSave={edit.mutate} onClose={close} />
      )}
    </div>
  );
}
