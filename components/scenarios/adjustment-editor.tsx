"use client";

import { Plus, Trash2 } from "lucide-react";
import { Button } from "#components/ui/button";
import { Input, Select } from "#components/ui/input";
import type { InputFeature } from "#lib/contract/models";
import type { Adjustment } from "#lib/contract/scenarios";

const operations = { multiply: "multiply by", add: "add", set: "set to" } as const;

/** Text typed for a feature, in the feature's own type. */
function readValue(text: string, feature: InputFeature | undefined): Adjustment["value"] {
  if (feature?.type === "boolean") return text === "true" || text === "1";
  if (feature?.type === "category") return text;
  const value = Number(text);
  return text.trim() === "" || Number.isNaN(value) ? text : value;
}

/** The recipe: steps applied in order to the base scenario's input. */
export function AdjustmentEditor({
  features,
  value,
  onChange,
}: {
  features: readonly InputFeature[];
  value: readonly Adjustment[];
  onChange(steps: Adjustment[]): void;
}) {
  const adjustable = features.filter(({ role }) => role !== "timestamp");
  const change = (index: number, step: Adjustment) =>
    onChange(value.map((other, position) => (position === index ? step : other)));
  const first = adjustable[0];
  return (
    <div className="space-y-2">
      {value.map((step, index) => (
        <fieldset
          // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place in the recipe
          key={index}
          className="grid items-center gap-2 rounded-md border p-3 sm:grid-cols-[1fr_auto_6rem_auto]"
        >
          <legend className="sr-only">Step {index + 1}</legend>
          <Select
            aria-label="Feature"
            value={step.feature}
            onChange={(event) => change(index, { ...step, feature: event.target.value })}
          >
            {adjustable.map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </Select>
          <Select
            aria-label="Operation"
            value={step.operation}
            onChange={(event) =>
              change(index, { ...step, operation: event.target.value as Adjustment["operation"] })
            }
          >
            {Object.entries(operations).map(([operation, words]) => (
              <option key={operation} value={operation}>
                {words}
              </option>
            ))}
          </Select>
          <Input
            aria-label="Value"
            defaultValue={String(step.value)}
            onChange={(event) =>
              change(index, {
                ...step,
                value: readValue(
                  event.target.value,
                  adjustable.find(({ name }) => name === step.feature),
                ),
              })
            }
          />
          <Button
            look="quiet"
            size="icon"
            aria-label={`Remove step ${index + 1}`}
            onClick={() => onChange(value.filter((_, position) => position !== index))}
          >
            <Trash2 className="size-4" />
          </Button>
          <span className="flex flex-wrap items-center gap-2 text-xs text-ink-faint sm:col-span-4">
            from
            <Input
              type="date"
              aria-label="From"
              className="!h-7 !w-36 text-xs"
              value={step.from ?? ""}
              onChange={(event) => {
                const { from: _, ...rest } = step;
                change(index, event.target.value ? { ...rest, from: event.target.value } : rest);
              }}
            />
            to
            <Input
              type="date"
              aria-label="To"
              className="!h-7 !w-36 text-xs"
              value={step.to ?? ""}
              onChange={(event) => {
                const { to: _, ...rest } = step;
                change(index, event.target.value ? { ...rest, to: event.target.value } : rest);
              }}
            />
            (left empty: all rows)
          </span>
        </fieldset>
      ))}
      <Button
        size="sm"
        disabled={!first}
        onClick={() =>
          first && onChange([...value, { feature: first.name, operation: "multiply", value: 1.1 }])
        }
      >
        <Plus className="size-3.5" /> Add a step
      </Button>
    </div>
  );
}
