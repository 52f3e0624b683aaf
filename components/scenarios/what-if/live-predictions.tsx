"use client";

import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useRef, useState } from "react";
import { queries } from "#components/api/queries.ts";
import { type BucketChoice, bucketParams } from "#components/chart/bucket-state.ts";
import { chartPoints, ScenarioChart } from "#components/scenarios/scenario-chart.tsx";
import { useAdjustedScenario } from "#components/scenarios/use-adjusted-scenario.ts";
import { Button } from "#components/ui/button.tsx";
import { nextColor } from "#components/ui/palette.ts";
import { SkeletonCard } from "#components/ui/skeleton.tsx";
import { useDebounced } from "#components/ui/use-debounced.ts";
import { useLeaveQuestion } from "#components/ui/use-leave-question.tsx";
import { PreviewRequest } from "#lib/contract/scenario-preview";
import type { Scenario } from "#lib/contract/scenarios";
import type { Recipe } from "./edits.ts";
import { begin, type History } from "./history.ts";

const EditInputs = dynamic(async () => (await import("./edit-inputs.tsx")).EditInputs, {
  ssr: false,
  loading: () => <SkeletonCard className="h-96" />,
});

/** Delay after a change before it is predicted. */
const PREDICT_AFTER_MS = 100;
const unchanged: Recipe = [];

/** The chart of a scenario's predictions, which follow while its inputs are edited. */
export function LivePredictions({
  scenario,
  choice,
  onChoice,
}: {
  scenario: Scenario;
  choice: BucketChoice;
  onChoice(change: Partial<BucketChoice>): void;
}) {
  const [isEditing, setEditing] = useState(false);
  const [history, setHistory] = useState<History<Recipe>>(() => begin(unchanged));
  const [saved, setSaved] = useState<{ recipe: Recipe; scenarioId: string } | null>(null);
  const toggle = useRef<HTMLButtonElement>(null);
  const recipe = history.present;
  const color = nextColor([scenario.color]);
  const isUnsaved = recipe.length > 0 && recipe !== saved?.recipe;
  const { ask, question } = useLeaveQuestion(isUnsaved, "The changes of the inputs are not saved.");
  const create = useAdjustedScenario(scenario, "edited", color);
  const settled = useDebounced(recipe, PREDICT_AFTER_MS);
  const body = PreviewRequest.parse({
    adjustments: settled,
    maxPoints: chartPoints,
    levels: [0.5, 0.8],
    ...(scenario.firstTimestamp !== null && bucketParams(choice)),
  });
  const preview = useQuery({ ...queries.preview(scenario.projectId, scenario.id, body), enabled: isEditing });
  const close = () =>
    ask(() => {
      setEditing(false);
      setHistory(begin(unchanged));
      toggle.current?.focus();
    });
  const hasChanges = isEditing && recipe.length > 0 && preview.data;
  return (
    <div
      className={
        isEditing
          ? "grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_21rem] xl:grid-cols-[minmax(0,1fr)_25rem]"
          : undefined
      }
    >
      <div className={isEditing ? "min-w-0 lg:sticky lg:top-16" : undefined}>
        <ScenarioChart
          {...{ scenario, choice, onChoice }}
          edited={hasChanges ? { preview: preview.data, color } : null}
          actions={
            <Button
              ref={toggle}
              size="sm"
              className="!h-8"
              aria-expanded={isEditing}
              onClick={() => (isEditing ? close() : setEditing(true))}
            >
              Edit inputs
            </Button>
          }
        />
      </div>
      {isEditing && (
        <EditInputs
          scenario={scenario}
          history={history}
          onHistory={setHistory}
          preview={preview.data}
          isUpdating={preview.isFetching || settled !== recipe}
          error={preview.error}
          onRetry={preview.refetch}
          saving={{
            isPending: create.isPending,
            error: create.error,
            savedId: recipe === saved?.recipe ? saved.scenarioId : null,
            save: () =>
              create.mutate(recipe, {
                onSuccess: ({ scenarioId }) => setSaved({ recipe, scenarioId }),
              }),
          }}
          onClose={close}
        />
      )}
      {question}
    </div>
  );
}
