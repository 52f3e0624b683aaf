"use client";

import { useQueryClient } from "@tanstack/react-query";
import { RotateCw, Trash2 } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { counted } from "#lib/contract/counted";
import type { Scenario } from "#lib/contract/scenarios";
import { deleteLater } from "./delete-later.ts";

const RunAgainDialog = dynamic(() => import("./run-again-dialog.tsx"), { ssr: false });

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
  const [running, setRunning] = useState(false);
  return (
    <div className="flex flex-wrap items-center gap-2 border-b bg-sunken px-4 py-2 sm:px-5 print:hidden">
      <p className="mr-auto text-[13px] font-medium" aria-live="polite">
        {counted(selected.length, "scenario")} selected
      </p>
      <Button size="sm" onClick={() => setRunning(true)}>
        <RotateCw className="size-3.5" /> Run again
      </Button>
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
      <Button size="sm" look="quiet" onClick={onClear}>
        Clear selection
      </Button>
      {running && (
        <RunAgainDialog projectId={projectId} scenarios={selected} onClose={() => setRunning(false)} />
      )}
    </div>
  );
}
