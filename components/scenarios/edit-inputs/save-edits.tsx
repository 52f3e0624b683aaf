"use client";

import { Link2 } from "lucide-react";
import { FormError } from "#components/form/server-errors.tsx";
import { useReason } from "#components/form/use-reason.ts";
import { useAdjustedScenario } from "#components/scenarios/use-adjusted-scenario.ts";
import { Button } from "#components/ui/button.tsx";
import { copyLink } from "#components/ui/copy-link.ts";
import { Link } from "#components/ui/link.tsx";
import type { Scenario } from "#lib/contract/scenarios";
import { comparedWith, type Recipe } from "./edits.ts";

export type Saving = {
  /** Baseline and all scenarios of the chart, with which the saved scenario is compared. */
  compared: { baselineId: string; ids: readonly string[] };
  /** Colour of the edited line, which the saved scenario keeps. */
  color: string;
  /** ID of the scenario that has the present changes; null if they are not saved. */
  savedId: string | null;
  onSaved(scenarioId: string): void;
};

/** Saves the changes as a scenario, and links to it and to its comparison. */
export function SaveEdits({
  scenario,
  recipe,
  compared: { baselineId, ids },
  color,
  savedId,
  onSaved,
}: Saving & { scenario: Scenario; recipe: Recipe }) {
  const create = useAdjustedScenario(scenario, color);
  const reason = useReason(recipe.length === 0 ? "Change an input first." : null);
  const path = `/projects/${scenario.projectId}/scenarios`;
  const all = comparedWith(ids, baselineId, savedId ?? "");
  const comparison = `${path}/compare?ids=${all}&baselineId=${baselineId}&why=${savedId}`;
  const link = "rounded-sm text-accent underline";
  return (
    <>
      <FormError message={reason.shown ?? create.error?.message} />
      <div className="flex flex-wrap items-center gap-3">
        <Button
          look="primary"
          busy={create.isPending}
          disabled={savedId !== null}
          onClick={() => {
            if (reason.ask()) create.mutate(recipe, { onSuccess: ({ scenarioId }) => onSaved(scenarioId) });
          }}
        >
          Save as scenario
        </Button>
        {savedId && (
          <>
            <Button onClick={() => copyLink(comparison, "the comparison")}>
              <Link2 className="size-4" /> Copy link
            </Button>
            <p className="text-[13px] text-ink-soft" aria-live="polite">
              Saved.{" "}
              <Link className={link} href={`${path}/${savedId}`}>
                Open it
              </Link>{" "}
              or{" "}
              <Link className={link} href={comparison}>
                compare it
              </Link>
              .
            </p>
          </>
        )}
      </div>
    </>
  );
}
