"use client";

import { Plus, X } from "lucide-react";
import { useDisplays } from "#components/display/displays.tsx";
import { Button } from "#components/ui/button.tsx";
import { Select } from "#components/ui/input.tsx";
import type { InputFeature } from "#lib/contract/models";
import { type Condition, firstValue } from "./recipe.ts";
import { ValueField } from "./value-field.tsx";

const operators = ["=", "!=", "<", "<=", ">", ">="] as const;

/** Conditions that select the rows of a step. All conditions must hold. */
export function RecipeConditions({
  features,
  value,
  onChange,
}: {
  features: readonly InputFeature[];
  value: readonly Condition[];
  onChange(conditions: Condition[]): void;
}) {
  const find = (name: string) => features.find((feature) => feature.name === name);
  const change = (index: number, condition: Condition) =>
    onChange(value.map((other, place) => (place === index ? condition : other)));
  const displays = useDisplays();
  const first = features[0];
  return (
    <div className="@container space-y-2">
      {value.map((condition, index) => {
        const feature = find(condition.feature);
        const place = index + 1;
        return (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: a condition is its place in the list
            key={index}
            className="grid grid-cols-[4.5rem_1fr_auto] items-center gap-2 @md:grid-cols-[1fr_4.5rem_1fr_auto]"
          >
            <Select
              aria-label={`Only where, ${place}`}
              className="col-span-3 @md:col-span-1"
              value={condition.feature}
              onChange={(event) => {
                const next = find(event.target.value);
                if (next) change(index, { feature: next.name, operator: "=", value: firstValue(next) });
              }}
              options={features.map(({ name }) => [name, displays(name).title])}
            />
            <Select
              aria-label={`Comparison, ${place}`}
              className="!px-2"
              value={condition.operator}
              onChange={(event) =>
                change(index, { ...condition, operator: event.target.value as Condition["operator"] })
              }
              options={(feature?.type === "category" ? operators.slice(0, 2) : operators).map((operator) => [
                operator,
                operator,
              ])}
            />
            <ValueField
              key={`${condition.feature} ${value.length}`}
              label={`Compared with, ${place}`}
              feature={feature}
              value={condition.value}
              onChange={(next) => change(index, { ...condition, value: next })}
            />
            <Button
              look="quiet"
              size="icon"
              aria-label={`Remove condition ${place}`}
              onClick={() => onChange(value.filter((_, other) => other !== index))}
            >
              <X className="size-4" />
            </Button>
          </div>
        );
      })}
      <Button
        size="sm"
        look="quiet"
        disabled={!first}
        onClick={() =>
          first && onChange([...value, { feature: first.name, operator: "=", value: firstValue(first) }])
        }
      >
        <Plus className="size-3.5" /> Only where …
      </Button>
    </div>
  );
}
