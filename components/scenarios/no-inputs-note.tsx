import type { InputFeature } from "#lib/contract/models";

/** States that a model has no inputs to adjust, before somebody makes a scenario that changes nothing. */
export function NoInputsNote({ features }: { features: readonly InputFeature[] }) {
  if (features.some(({ role }) => role !== "timestamp")) return null;
  return (
    <p className="text-[13px] text-ink-soft">
      This model forecasts from past values of the target only. It has no inputs to adjust.
    </p>
  );
}
