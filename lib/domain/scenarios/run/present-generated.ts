import type { GeneratedInput } from "#lib/contract/generated-inputs";
import type { GeneratedInputs } from "#lib/engine/forecasting/generate-inputs";
import type { PreviewPoints } from "#lib/engine/forecasting/preview-forecast";

/** Converts the forecasts of generated inputs for storage and for the API. */
export function presentGenerated(forecasts: GeneratedInputs["forecasts"]): GeneratedInput[] {
  return forecasts.map(({ preview, isExact: _, ...choice }) => ({
    ...choice,
    known: withTimes(preview.known),
    generated: withTimes(preview.generated),
  }));
}

const withTimes = ({ instants, values }: PreviewPoints) => ({
  timestamps: instants.map((instant) => new Date(instant).toISOString()),
  values,
});
