import { Trash2 } from "lucide-react";
import { useDisplays } from "#components/display/displays.tsx";
import { operations } from "#components/scenarios/recipe.ts";
import { Button } from "#components/ui/button.tsx";
import { Select } from "#components/ui/input.tsx";
import type { InputFeature } from "#lib/contract/models";
import { boundsOf, type LeverErrors, type LeverFields } from "./goal-form.ts";
import { NumberField } from "./number-field.tsx";

/** Edits a lever: the input, the operation and the values to try. */
export function LeverRow({
  number,
  features,
  lever,
  errors,
  onChange,
  onRemove,
}: {
  /** Number of the lever, starting at 1. */
  number: number;
  features: readonly InputFeature[];
  lever: LeverFields;
  errors: LeverErrors;
  onChange(lever: LeverFields): void;
  onRemove?: () => void;
}) {
  const displays = useDisplays();
  const find = (name: string) => features.find((feature) => feature.name === name);
  const withBounds = (next: Pick<LeverFields, "feature" | "operation">) =>
    onChange({ ...next, ...boundsOf(next.operation, find(next.feature)) });
  return (
    <fieldset className="flex flex-wrap items-baseline gap-2">
      <legend className="sr-only">Input {number}</legend>
      <Select
        aria-label={`Input ${number}`}
        className="w-auto! max-w-full"
        value={lever.feature}
        onChange={({ target }) => withBounds({ ...lever, feature: target.value })}
        options={features.map(({ name }) => [name, displays(name).title])}
      />
      <Select
        aria-label={`Operation ${number}`}
        className="w-auto!"
        value={lever.operation}
        onChange={({ target }) =>
          withBounds({ ...lever, operation: target.value as LeverFields["operation"] })
        }
        options={Object.entries(operations)}
      />
      {(["min", "max", "step"] as const).map((name) => (
        <span key={name} className="flex items-baseline gap-2 text-ink-soft">
          {{ min: "from", max: "to", step: "in steps of" }[name]}
          <NumberField
            label={`${{ min: "Smallest value", max: "Largest value", step: "Step" }[name]} ${number}`}
            value={lever[name]}
            error={errors[name]}
            onChange={(value) => onChange({ ...lever, [name]: value })}
          />
        </span>
      ))}
      {onRemove && (
        <Button
          type="button"
          look="quiet"
          size="icon"
          className="self-start"
          aria-label={`Remove input ${number}`}
          onClick={onRemove}
        >
          <Trash2 className="size-4" />
        </Button>
      )}
    </fieldset>
  );
}
