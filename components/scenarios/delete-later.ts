"use client";

import { type QueryClient, skipToken, useQuery } from "@tanstack/react-query";
import { toast } from "sonner";
import { api, keys } from "#components/api/client.ts";
import { counted } from "#lib/contract/counted";
import type { Scenario } from "#lib/contract/scenarios";

const DELAY_MS = 10_000;

/** Key of the scenarios that are being deleted, or soon will be. The cache lives as long as the document. */
const queryKey = ["leaving"];
const none: ReadonlySet<string> = new Set();

/** Returns the IDs of the scenarios that lists hide, because they are being deleted or soon will be. */
export const useLeaving = (): ReadonlySet<string> =>
  useQuery<ReadonlySet<string>>({ queryKey, queryFn: skipToken }).data ?? none;

/**
 * Hides scenarios of a project and deletes them after ten seconds, unless the reader clicks Undo. No request is sent
 * before then, so closing the page within this time deletes nothing.
 */
export function deleteLater(client: QueryClient, scenarios: readonly Scenario[]): void {
  const ids = scenarios.map(({ id }) => id);
  const subject = scenarios.length === 1 ? `“${scenarios[0]!.title}”` : counted(scenarios.length, "scenario");
  const setLeaving = (change: (all: ReadonlySet<string>) => ReadonlySet<string>) =>
    client.setQueryData<ReadonlySet<string>>(queryKey, (all = none) => change(all));
  const restore = () => setLeaving((all) => new Set([...all].filter((id) => !ids.includes(id))));
  const timer = setTimeout(async () => {
    toast.dismiss(shown);
    await deleteAll(scenarios);
    await client.invalidateQueries({ queryKey: keys.project(scenarios[0]!.projectId) });
    restore();
  }, DELAY_MS);
  const shown = toast(`Deleting ${subject} in 10 seconds.`, {
    description:
      "Inputs and predictions are deleted too. If you close the page before then, nothing is deleted.",
    duration: DELAY_MS,
    action: {
      label: "Undo",
      onClick: () => {
        clearTimeout(timer);
        restore();
        toast.success("Undone. Nothing was deleted.");
      },
    },
  });
  setLeaving((all) => new Set([...all, ...ids]));
}

/** Deletes one after another, and reports those that the service did not delete. */
async function deleteAll(scenarios: readonly Scenario[]): Promise<void> {
  for (const { projectId, id, title } of scenarios) {
    try {
      await api.delete(`/projects/${projectId}/scenarios/${id}`);
    } catch (error) {
      toast.error(`“${title}” was not deleted.`, { description: (error as Error).message });
    }
  }
}
