"use client";

import { Input, Select } from "#components/ui/input.tsx";
import type { InputFeature } from "#lib/contract/models";
import type { Adjustment } from "#lib/contract/scenarios";
import { readValue } from "./recipe.ts";

/** Input for a feature's value, by the feature's type. Needs a key that changes with the feature. */
export function ValueField({
  label,
  feature,
  value,
  onChange,
}: {
  label: string;
  feature: InputFeature | undefined;
  value: Adjustment["value"];
  onChange(value: Adjustment["value"]): void;
}) {
  if (feature?.type === "boolean") {
    return (
      <Select
        aria-label={label}
        value={String(value)}
        onChange={(event) => onChange(event.target.value === "true")}
      >
        <option>true</option>
        <option>false</option>
      </Select>
    );
  }
  const known = feature?.type === "category" ? feature.categories : null;
  return (
    <Input
      aria-label={label}
      // Keeps partially typed numbers ("1.") in the field.
      defaultValue={String(value)}
      inputMode={feature?.type === "number" ? "decimal" : undefined}
      suggestions={known?.length ? known.slice(0, 100) : undefined}
      onChange={(event) => onChange(readValue(event.target.value, feature))}
    />
  );
}
