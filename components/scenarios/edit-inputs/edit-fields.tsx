"use client";

import { useState } from "react";
import { ApiError } from "#components/api/client.ts";
import { useMay } from "#components/api/viewer.tsx";
import { useDisplays } from "#components/display/displays.tsx";
import { FormError } from "#components/form/server-errors.tsx";
import type { PanelStep } from "#components/panel/panel-state.ts";
import { type Condition, fits } from "#components/scenarios/recipe.ts";
import { RecipeConditions } from "#components/scenarios/recipe-conditions.tsx";
import { RecipeText } from "#components/scenarios/scenario-facts.tsx";
import { SpanFields } from "#components/scenarios/span-fields.tsx";
import { Button } from "#components/ui/button.tsx";
import { Input } from "#components/ui/input.tsx";
import { Segments } from "#components/ui/segments.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { counted } from "#lib/contract/counted";
import { limits } from "#lib/contract/limits";
import type { InputFeature } from "#lib/contract/models";
import type { ScenarioPreview } from "#lib/contract/scenario-preview";
import type { Scenario } from "#lib/contract/scenarios";
import { changeOf, changesElsewhere, limitsOf, type Recipe, withChange } from "./edits.ts";
import { beforeControl, change, type History, settle } from "./history.ts";
import { InputRow } from "./input-row.tsx";
import { PreviewTotals } from "./preview-totals.tsx";
import { SaveEdits, type Saving } from "./save-edits.tsx";
import { ValueGrid } from "./value-grid.tsx";

/** Number of inputs above which the list has a field to search. */
const SEARCHED_ABOVE = 10;

const views = [
  ["changes", "Changes"],
  ["values", "Values"],
] as const;

/** Reasons why a scenario cannot be previewed at all. */
const unsuitable = ["too_many_rows", "too_many_series"];

/** The edits, and what is known of their effect. */
export type EditState = Saving & {
  /** Columns that name the series and levels of a row, and the chosen ones; null for one series. */
  panel: { columns: readonly string[]; steps: readonly PanelStep[] } | null;
  history: History<Recipe>;
  onHistory(change: (history: History<Recipe>) => History<Recipe>): void;
  /** Preview of the latest predicted recipe. */
  preview: ScenarioPreview | undefined;
  /** Whether the preview of the present recipe has not arrived yet. */
  isUpdating: boolean;
  error: Error | null;
  onRetry(): void;
};

/** Shows the effect of the changes on the totals, the inputs to change, and the changes. */
export function EditFields({
  scenario,
  features,
  panel,
  history,
  onHistory,
  preview,
  isUpdating,
  error,
  onRetry,
  ...saving
}: EditState & { scenario: Scenario; features: readonly InputFeature[] }) {
  const maySave = useMay()("createScenario");
  const [view, setView] = useState<"changes" | "values">("changes");
  const recipe = history.present;
  const inputs = features.filter(({ role, type }) => role !== "timestamp" && type !== "timestamp");
  const changeable = inputs.filter(({ name }) => !panel?.columns.includes(name));
  // Each row of the grid is a time, which many series share.
  const hasGrid = scenario.firstTimestamp !== null && panel === null;
  const isUnsuitable =
    error instanceof ApiError && error.details.some(({ code }) => code && unsuitable.includes(code));
  if (isUnsuitable) return <EmptyState title="No live preview">{error.message}</EmptyState>;
  return (
    <div className="space-y-4 px-5 pb-5">
      {error ? (
        <div className="flex flex-wrap items-center gap-3">
          <FormError message={error.message} />
          <Button size="sm" onClick={onRetry}>
            Try again
          </Button>
        </div>
      ) : (
        <PreviewTotals
          scenario={scenario}
          preview={preview}
          isPart={panel !== null}
          isUpdating={isUpdating}
        />
      )}
      {hasGrid && (
        <div className="flex">
          <Segments
            label="How to change inputs"
            options={views}
            value={view}
            onChange={(next) => {
              setView(next);
              onHistory(settle);
            }}
          />
        </div>
      )}
      {hasGrid && view === "values" && (
        <ValueGrid
          scenario={scenario}
          features={inputs}
          recipe={recipe}
          onRecipe={(next) => onHistory((before) => settle(change(before, next, "values")))}
        />
      )}
      {/* Stays while the grid is shown, so that span, conditions and search are kept. */}
      <InputChanges
        // Another choice of series begins with its conditions.
        key={panel?.steps.map(({ column, value }) => `${column}:${value}`).join()}
        isHidden={hasGrid && view === "values"}
        scenario={scenario}
        features={features}
        inputs={changeable}
        conditional={inputs}
        steps={panel?.steps ?? []}
        recipe={recipe}
        onHistory={onHistory}
      />
      {recipe.length > 0 && (
        <div className="border-t pt-3 text-[13px]">
          <h3 className="mb-1.5 font-medium">Changes</h3>
          {recipe.length >= limits.adjustmentsMax && (
            <p className="mb-1.5 text-ink-soft">
              A scenario takes at most {limits.adjustmentsMax} changes. Remove one before you add another.
            </p>
          )}
          <RecipeText
            steps={recipe}
            onRemove={(index) =>
              onHistory((before) => settle(change(before, before.present.toSpliced(index, 1), "list")))
            }
          />
        </div>
      )}
      {maySave && <SaveEdits scenario={scenario} recipe={recipe} {...saving} />}
    </div>
  );
}

/** Shows a control for each input, and the rows that a change applies to. */
function InputChanges({
  isHidden,
  scenario,
  features,
  inputs,
  conditional,
  steps,
  recipe,
  onHistory,
}: Pick<EditState, "onHistory"> & {
  isHidden: boolean;
  scenario: Scenario;
  features: readonly InputFeature[];
  /** Those features that can be changed. */
  inputs: readonly InputFeature[];
  /** Those that conditions can name. */
  conditional: readonly InputFeature[];
  /** Chosen series, which changes are limited to at first. */
  steps: readonly PanelStep[];
  recipe: Recipe;
}) {
  const displays = useDisplays();
  const [span, setSpan] = useState({ from: "", to: "" });
  const [where, setWhere] = useState<Condition[]>(() =>
    steps.map(({ column, value }) => ({ feature: column, operator: "=", value })),
  );
  const [search, setSearch] = useState("");
  const sought = search.trim().toLowerCase();
  const shown = inputs.filter(({ name }) =>
    [name, displays(name).name].some((text) => text.toLowerCase().includes(sought)),
  );
  const rows = limitsOf(span, where);
  const elsewhere = changesElsewhere(recipe, rows);
  // A step with such a condition could not be predicted.
  const hasInvalidCondition = !where.every((condition) => fits(condition, features));
  if (isHidden) return null;
  return (
    <>
      {scenario.firstTimestamp !== null && (
        <SpanFields scenario={scenario} span={span} onChange={(part) => setSpan({ ...span, ...part })} />
      )}
      <RecipeConditions features={conditional} value={where} onChange={setWhere} />
      {elsewhere > 0 && (
        <p role="status" className="text-[13px] text-ink-soft">
          {counted(elsewhere, "change applies", "changes apply")} to other rows. See “Changes” below.
        </p>
      )}
      {inputs.length > SEARCHED_ABOVE && (
        <Input
          type="search"
          aria-label="Search inputs"
          placeholder="Search inputs"
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      )}
      {hasInvalidCondition && <FormError message="Complete the condition before you change inputs." />}
      <fieldset
        disabled={hasInvalidCondition}
        className="-mx-1.5 max-h-[28rem] min-w-0 overflow-y-auto px-1.5 pb-1.5"
      >
        <legend className="sr-only">Inputs</legend>
        {shown.map((feature) => (
          <InputRow
            key={feature.name}
            feature={feature}
            change={changeOf(recipe, feature.name, rows)}
            onChange={(next, control) =>
              // A change that the control removes on its way keeps its place.
              onHistory((before) =>
                change(before, withChange(beforeControl(before, control), feature.name, rows, next), control),
              )
            }
            onSettle={() => onHistory(settle)}
          />
        ))}
      </fieldset>
    </>
  );
}
