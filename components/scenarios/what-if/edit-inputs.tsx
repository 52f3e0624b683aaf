"use client";

import { useQuery } from "@tanstack/react-query";
import { Redo2, Undo2, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { ApiError } from "#components/api/client.ts";
import { queries } from "#components/api/queries.ts";
import { useDisplays } from "#components/display/displays.tsx";
import { FormError } from "#components/form/server-errors.tsx";
import { RecipeText } from "#components/scenarios/scenario-facts.tsx";
import { SpanFields } from "#components/scenarios/span-fields.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { Input } from "#components/ui/input.tsx";
import { Link } from "#components/ui/link.tsx";
import { SkeletonRows } from "#components/ui/skeleton.tsx";
import { EmptyState, ErrorState } from "#components/ui/states.tsx";
import type { ScenarioPreview } from "#lib/contract/scenario-preview";
import type { Scenario } from "#lib/contract/scenarios";
import { changeOf, type Recipe, withChange } from "./edits.ts";
import { change, type History, redo, settle, undo } from "./history.ts";
import { InputRow } from "./input-row.tsx";
import { PreviewTotals } from "./preview-totals.tsx";

/** Number of inputs above which the list has a field to search. */
const SEARCHED_ABOVE = 10;

/** Reasons why a scenario cannot be previewed at all. */
const unsuitable = ["too_many_rows", "no_inputs"];

/** What-if panel: changes inputs, shows the effect on the totals, and saves the changes as a scenario. */
export function EditInputs({
  scenario,
  history,
  onHistory,
  preview,
  isUpdating,
  error,
  onRetry,
  saving,
  onClose,
}: {
  scenario: Scenario;
  history: History<Recipe>;
  onHistory(change: (history: History<Recipe>) => History<Recipe>): void;
  /** Preview of the latest predicted recipe. */
  preview: ScenarioPreview | undefined;
  /** Whether the preview of the present recipe has not arrived yet. */
  isUpdating: boolean;
  error: Error | null;
  onRetry(): void;
  saving: { isPending: boolean; error: Error | null; savedId: string | null; save(): void };
  onClose(): void;
}) {
  const { projectId, id, checkpointId } = scenario;
  const displays = useDisplays();
  const [span, setSpan] = useState({ from: "", to: "" });
  const [search, setSearch] = useState("");
  const panel = useRef<HTMLDivElement>(null);
  const checkpoint = useQuery({
    ...queries.checkpoint(projectId, checkpointId ?? ""),
    enabled: checkpointId !== null,
  });
  useEffect(() => panel.current?.focus(), []);
  useUndoKeys(panel, onHistory);
  const recipe = history.present;
  const features =
    checkpoint.data?.inputFeatures.filter(({ role, type }) => role !== "timestamp" && type !== "timestamp") ??
    [];
  const sought = search.trim().toLowerCase();
  const shown = features.filter(({ name }) =>
    [name, displays(name).name].some((text) => text.toLowerCase().includes(sought)),
  );
  const isUnsuitable =
    error instanceof ApiError && error.details.some(({ code }) => code && unsuitable.includes(code));
  const scenarios = `/projects/${projectId}/scenarios`;
  return (
    <section ref={panel} tabIndex={-1} aria-label="Edit inputs" className="min-w-0 print:hidden">
      <Card>
        <CardHeader
          title="Edit inputs"
          description="Not saved yet."
          actions={
            <>
              <Button
                size="icon"
                aria-label="Undo"
                title="Undo (Ctrl+Z)"
                disabled={history.past.length === 0}
                onClick={() => onHistory(undo)}
              >
                <Undo2 className="size-4" />
              </Button>
              <Button
                size="icon"
                aria-label="Redo"
                title="Redo (Ctrl+Shift+Z)"
                disabled={history.future.length === 0}
                onClick={() => onHistory(redo)}
              >
                <Redo2 className="size-4" />
              </Button>
              <Button look="quiet" size="icon" aria-label="Close" onClick={onClose}>
                <X className="size-4" />
              </Button>
            </>
          }
        />
        {isUnsuitable ? (
          <EmptyState title="No live preview">{error.message}</EmptyState>
        ) : checkpoint.error ? (
          <ErrorState error={checkpoint.error} onRetry={checkpoint.refetch} />
        ) : checkpoint.isPending ? (
          <SkeletonRows rows={4} />
        ) : (
          <div className="space-y-4 px-5 pb-5">
            {error ? (
              <div className="flex flex-wrap items-center gap-3">
                <FormError message={error.message} />
                <Button size="sm" onClick={onRetry}>
                  Try again
                </Button>
              </div>
            ) : (
              <PreviewTotals scenario={scenario} preview={preview} isUpdating={isUpdating} />
            )}
            {scenario.firstTimestamp !== null && (
              <SpanFields
                scenario={scenario}
                span={span}
                onChange={(part) => setSpan({ ...span, ...part })}
              />
            )}
            {features.length > SEARCHED_ABOVE && (
              <Input
                type="search"
                aria-label="Search inputs"
                placeholder="Search inputs"
                value={search}
                onChange={(event) => setSearch(event.target.value)}
              />
            )}
            <div className="-mx-1.5 max-h-[28rem] overflow-y-auto px-1.5 pb-1.5">
              {shown.map((feature) => (
                <InputRow
                  key={feature.name}
                  feature={feature}
                  change={changeOf(recipe, feature.name, span)}
                  onChange={(next, control) =>
                    onHistory((before) =>
                      change(before, withChange(before.present, feature.name, span, next), control),
                    )
                  }
                  onSettle={() => onHistory(settle)}
                />
              ))}
            </div>
            {recipe.length > 0 && (
              <div className="border-t pt-3 text-[13px]">
                <h3 className="mb-1.5 font-medium">Changes</h3>
                <RecipeText steps={recipe} />
              </div>
            )}
            <FormError message={saving.error?.message} />
            <div className="flex flex-wrap items-center gap-3">
              <Button
                look="primary"
                busy={saving.isPending}
                disabled={recipe.length === 0 || saving.savedId !== null}
                onClick={saving.save}
              >
                Save as scenario
              </Button>
              {saving.savedId && (
                <p className="text-[13px] text-ink-soft" aria-live="polite">
                  Saved.{" "}
                  <Link className="rounded-sm text-accent underline" href={`${scenarios}/${saving.savedId}`}>
                    Open it
                  </Link>{" "}
                  or{" "}
                  <Link
                    className="rounded-sm text-accent underline"
                    href={`${scenarios}/compare?ids=${id},${saving.savedId}&baselineId=${id}`}
                  >
                    compare it
                  </Link>
                  .
                </p>
              )}
            </div>
          </div>
        )}
      </Card>
    </section>
  );
}

/** Undoes by Ctrl+Z and redoes by Ctrl+Shift+Z, except in fields outside of the panel. */
function useUndoKeys(
  panel: React.RefObject<HTMLElement | null>,
  onHistory: (change: (history: History<Recipe>) => History<Recipe>) => void,
): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== "z") return;
      const target = event.target as Element;
      const isElsewhere = target.closest("input, textarea, select, [role=dialog]") !== null;
      if (isElsewhere && !panel.current?.contains(target)) return;
      event.preventDefault();
      onHistory(event.shiftKey ? redo : undo);
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [panel, onHistory]);
}
