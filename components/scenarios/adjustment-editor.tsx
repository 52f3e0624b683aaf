"use client";

import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useId, useState } from "react";
import { queries } from "#components/api/queries.ts";
import { WarningList } from "#components/csv/issue-list.tsx";
import { usePanelColumns } from "#components/panel/use-panel.ts";
import { Button } from "#components/ui/button.tsx";
import { formatInteger } from "#components/ui/format.ts";
import { useDebounced } from "#components/ui/use-debounced.ts";
import { counted } from "#lib/contract/counted";
import type { InputFeature } from "#lib/contract/models";
import type { Adjustment, ScenarioValidation } from "#lib/contract/scenarios";
import { changeableInputs } from "./changeable-inputs.ts";
import { NoInputsNote } from "./no-inputs-note.tsx";
import { canBeChecked, firstStep, issuesOfStep } from "./recipe.ts";
import { RecipeStep } from "./recipe-step.tsx";

/** Delay after typing before the recipe is checked. */
const TRY_AFTER_MS = 400;

/** Edits the recipe: ordered steps that change the base scenario's input, each with its number of changed rows. */
export function AdjustmentEditor({
  projectId,
  baseScenarioId,
  checkpointId,
  features,
  value,
  error,
  onChange,
}: {
  projectId: string;
  /** Base scenario; null before one is selected, in which case nothing is checked. */
  baseScenarioId: string | null;
  /** Checkpoint; null for the current model. */
  checkpointId: string | null;
  /** Input features of the model; null while they load. */
  features: readonly InputFeature[] | null;
  value: readonly Adjustment[];
  /** Why a step is missing. */
  error: string | undefined;
  onChange(steps: Adjustment[]): void;
}) {
  const errorId = useId();
  const adjustable = changeableInputs(features ?? [], usePanelColumns(projectId));
  const conditional = (features ?? []).filter(({ role }) => role !== "timestamp");
  const first = adjustable[0];
  // Steps have no names. These IDs keep each step's fields when another step is removed.
  const [ids, setIds] = useState(() => value.map((_, index) => index));
  const tried = useDebounced(value, TRY_AFTER_MS);
  const { data } = useQuery({
    ...queries.recipe(projectId, { baseScenarioId, checkpointId, adjustments: [...tried] }),
    enabled: baseScenarioId !== null && tried.length > 0 && canBeChecked(tried),
  });
  const outcome = tried === value ? data : undefined;
  const others = outcome?.faults.filter(({ field }) => !field?.startsWith("adjustments.")) ?? [];
  if (features !== null && !first) return <NoInputsNote projectId={projectId} features={features} />;
  return (
    <div className="space-y-2">
      {value.map((step, index) => (
        <RecipeStep
          key={ids[index]}
          number={index + 1}
          features={adjustable}
          conditional={conditional}
          step={step}
          onChange={(next) => onChange(value.map((other, place) => (place === index ? next : other)))}
          onRemove={() => {
            setIds(ids.filter((_, place) => place !== index));
            onChange(value.filter((_, place) => place !== index));
          }}
        >
          <StepOutcome outcome={outcome} index={index} />
        </RecipeStep>
      ))}
      <Button
        size="sm"
        disabled={!first}
        {...(error && { "data-invalid": "", "aria-describedby": errorId })}
        onClick={() => {
          if (!first) return;
          setIds([...ids, Math.max(-1, ...ids) + 1]);
          onChange([...value, firstStep(first)]);
        }}
      >
        <Plus className="size-3.5" /> Add a step
      </Button>
      {error && (
        <p id={errorId} className="text-xs text-bad">
          {error}
        </p>
      )}
      {others.map(({ message }) => (
        <p key={message} className="text-[13px] text-bad">
          {message}
        </p>
      ))}
      {outcome && value.length > 0 && <WarningList warnings={outcome.warnings} />}
    </div>
  );
}

function StepOutcome({ outcome, index }: { outcome: ScenarioValidation | undefined; index: number }) {
  const issues = outcome ? issuesOfStep(outcome.faults, index) : [];
  const changed = outcome?.changedRows?.[index];
  return (
    <div aria-live="polite" className="min-h-4 text-xs">
      {issues.map((issue) => (
        <p key={issue} className="text-bad">
          {issue}
        </p>
      ))}
      {changed !== undefined && outcome && (
        <p className="figures text-ink-soft">
          changes {formatInteger(changed)} of {counted(outcome.rowCount, "row")}
        </p>
      )}
    </div>
  );
}
