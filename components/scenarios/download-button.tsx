"use client";

import { useMutation } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { toast } from "sonner";
import { api } from "#components/api/client.ts";
import { type BucketChoice, bucketParams } from "#components/chart/bucket-state.ts";
import { csvLevels } from "#components/chart/columns.ts";
import { Button } from "#components/ui/button.tsx";
import { Menu, MenuItem } from "#components/ui/menu.tsx";
import type { Scenario } from "#lib/contract/scenarios";

/** Downloads predictions as CSV: with the inputs by row, or aggregated as the chart is. */
export function DownloadButton({ scenario, choice }: { scenario: Scenario; choice: BucketChoice }) {
  const aggregated = new URLSearchParams(bucketParams(choice)).toString();
  const download = useMutation({
    mutationFn: async (query: string) => {
      const blob = await api.blob(
        `/projects/${scenario.projectId}/scenarios/${scenario.id}/predictions${query}`,
        "text/csv",
      );
      const link = document.createElement("a");
      link.href = URL.createObjectURL(blob);
      link.download = `${scenario.title.replace(/[^\p{L}\p{N} _.-]+/gu, "_")}.csv`;
      link.click();
      URL.revokeObjectURL(link.href);
    },
    onError: (error) => toast.error(error.message),
  });
  return (
    <Menu
      trigger={
        <Button busy={download.isPending}>
          <Download className="size-4" /> CSV
        </Button>
      }
    >
      <MenuItem onSelect={() => download.mutate("")}>Inputs and predictions</MenuItem>
      <MenuItem onSelect={() => download.mutate(`?levels=${csvLevels}`)}>
        With 50, 80 and 95 % intervals
      </MenuItem>
      {aggregated !== "" && (
        <MenuItem onSelect={() => download.mutate(`?${aggregated}&levels=${csvLevels}`)}>
          Predictions by {choice.bucket === "auto" ? "point of the chart" : choice.bucket}
        </MenuItem>
      )}
    </Menu>
  );
}
