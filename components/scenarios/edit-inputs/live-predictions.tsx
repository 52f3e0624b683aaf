"use client";

import { useQuery } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { type ReactNode, useMemo, useRef, useState } from "react";
import { queries } from "#components/api/queries.ts";
import { useMay } from "#components/api/viewer.tsx";
import type { Edited } from "#components/chart/prepare-preview.ts";
import { type PanelChoice, stepsOf } from "#components/panel/panel-state.ts";
import { usePanelColumns } from "#components/panel/use-panel.ts";
import { Button } from "#components/ui/button.tsx";
import { nextColor } from "#components/ui/palette.ts";
import { SkeletonCard } from "#components/ui/skeleton.tsx";
import { useDebounced } from "#components/ui/use-debounced.ts";
import { useLeaveQuestion } from "#components/ui/use-leave-question.tsx";
import type { PreviewRequest, ScenarioPreview } from "#lib/contract/scenario-preview";
import type { LivePreview } from "#lib/engine/what-if/live-model";
import { useChangeableInputs } from "../changeable-inputs.ts";
import { useOthers } from "../use-others.ts";
import type { Recipe } from "./edits.ts";
import { begin, type History } from "./history.ts";
import { useLivePreview } from "./use-live-preview.ts";

const EditInputs = dynamic(async () => (await import("./edit-inputs.tsx")).EditInputs, {
  ssr: false,
  loading: () => <SkeletonCard className="h-96" />,
});
const WhyEdited = dynamic(async () => (await import("./why-edited.tsx")).WhyEdited, {
  ssr: false,
  loading: () => <SkeletonCard className="h-40" />,
});

/** Delay before the service predicts a change. The page's worker predicts it at once. */
const REQUEST_AFTER_MS = 100;
const unchanged: Recipe = [];
const levels: NonNullable<PreviewRequest["levels"]> = [0.5, 0.8];

/** A chart of scenarios, which follows while the inputs of one of them are edited beside it. */
export function LivePredictions({
  projectId,
  scenarios,
  baselineId,
  points,
  choice,
  children,
}: {
  projectId: string;
  /** Scenarios of the chart that can be edited. */
  scenarios: readonly { id: string; title: string; color: string; rowCount: number | null }[];
  /** Scenario whose inputs are edited unless the user chooses another one. */
  baselineId: string;
  /** Points of the chart, which a preview has too. */
  points: Pick<PreviewRequest, "maxPoints" | "bucket" | "aggregate">;
  /** Of many series, those that the chart shows. */
  choice: Pick<PanelChoice, "where">;
  /** Draws the chart with a button that opens the inputs. */
  children(edited: Edited | null, toggle: ReactNode): ReactNode;
}) {
  const [editedId, setEditedId] = useState<string | null>(null);
  const [history, setHistory] = useState<History<Recipe>>(() => begin(unchanged));
  const [saved, setSaved] = useState<{ recipe: Recipe; scenarioId: string } | null>(null);
  const toggle = useRef<HTMLButtonElement>(null);
  const scenario = scenarios.find(({ id }) => id === editedId);
  const isEditing = scenario !== undefined;
  const recipe = history.present;
  const hasChanges = isEditing && recipe.length > 0;
  const maySave = useMay()("createScenario");
  const { others } = useOthers(projectId);
  // A colour that no scenario of the project has, so that the saved scenario keeps it. The chart's scenarios come first,
  // because the project may use the whole palette.
  const color = nextColor([...scenarios, ...scenarios, ...others].map((one) => one.color));
  const { ask, question } = useLeaveQuestion(
    maySave && hasChanges && recipe !== saved?.recipe,
    "The changes to the inputs are not saved.",
  );
  const settled = useDebounced(recipe, REQUEST_AFTER_MS);
  const columns = usePanelColumns(projectId);
  const isPanel = columns.length > 0;
  const chosen = isPanel ? { where: [...choice.where] } : {};
  const chartOptions = { ...points, levels };
  const stored = useQuery(queries.scenario(projectId, scenario?.id ?? null));
  const { inputs } = useChangeableInputs(projectId, stored.data?.checkpointId ?? null);
  const hasInputs = isEditing && inputs !== undefined && inputs.length > 0;
  const preview = useQuery({
    ...queries.preview(projectId, scenario?.id ?? "", {
      ...chartOptions,
      ...chosen,
      adjustments: [...settled],
    }),
    enabled: hasInputs,
  });
  const isUpdating = preview.isFetching || settled !== recipe;
  const live = useLivePreview(projectId, isPanel || !hasInputs ? null : scenario.id, recipe, chartOptions);
  // While the hand moves, the latest preview of the worker is shown, even if it is for a slightly earlier position.
  const newer = isUpdating ? live : null;
  const shown = useMemo(
    () => (preview.data && newer ? withLive(preview.data, newer) : preview.data),
    [preview.data, newer],
  );
  const edit = (id: string | null) => {
    setEditedId(id);
    setHistory(begin(unchanged));
  };
  const close = () =>
    ask(() => {
      edit(null);
      toggle.current?.focus();
    });
  const edited = hasChanges && shown ? { scenarioId: scenario.id, preview: shown, color } : null;
  return (
    <div
      className={
        isEditing
          ? "grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_21rem] lg:grid-rows-[auto_1fr] xl:grid-cols-[minmax(0,1fr)_28rem]"
          : undefined
      }
    >
      <div className={isEditing ? "min-w-0" : undefined}>
        {children(
          edited,
          scenarios.length > 0 && (
            <Button
              ref={toggle}
              size="sm"
              aria-expanded={isEditing}
              onClick={() => (isEditing ? close() : edit(baselineId))}
            >
              Edit inputs
            </Button>
          ),
        )}
      </div>
      {isEditing && (
        <div className="min-w-0 lg:col-start-2 lg:row-span-2 lg:row-start-1 lg:self-stretch">
          <EditInputs
            projectId={projectId}
            panel={
              isPanel ? { columns: columns.map(({ name }) => name), steps: stepsOf(choice, columns) } : null
            }
            scenarios={scenarios}
            scenarioId={scenario.id}
            onScenario={(id) => ask(() => edit(id))}
            history={history}
            onHistory={setHistory}
            preview={preview.data}
            isUpdating={isUpdating}
            error={preview.error}
            onRetry={preview.refetch}
            compared={{ baselineId, ids: scenarios.map(({ id }) => id) }}
            color={color}
            savedId={recipe === saved?.recipe ? saved.scenarioId : null}
            onSaved={(scenarioId) => setSaved({ recipe, scenarioId })}
            onClose={close}
          />
        </div>
      )}
      {hasChanges && !preview.error && (
        <WhyEdited projectId={projectId} scenario={scenario} chosen={chosen} recipe={recipe} />
      )}
      {question}
    </div>
  );
}

/** Replaces the points of a preview by those of newer edits. */
function withLive(preview: ScenarioPreview, { saved, ...live }: LivePreview): ScenarioPreview {
  const { buckets: _, ...rest } = preview;
  return { ...rest, ...live, saved: { ...preview.saved, ...saved } };
}
