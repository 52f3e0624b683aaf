"use client";

import { usePanelColumns } from "#components/panel/use-panel.ts";
import type { InputFeature } from "#lib/contract/models";
import { changeableInputs } from "./changeable-inputs.ts";

/** States that a model has no inputs to adjust, before somebody makes a scenario that changes nothing. */
export function NoInputsNote({
  projectId,
  features,
}: {
  projectId: string;
  features: readonly InputFeature[];
}) {
  const columns = usePanelColumns(projectId);
  if (changeableInputs(features, columns).length > 0) return null;
  return (
    <p className="text-[13px] text-ink-soft">
      This model forecasts from past values of the target only. It has no inputs to adjust.
    </p>
  );
}
