"use client";

import { Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { useCalendar, useDisplays } from "#components/display/displays.tsx";
import { endOfDay, localDay, startOfDay } from "#components/time/local-day.ts";
import { Button } from "#components/ui/button.tsx";
import { Input, Select } from "#components/ui/input.tsx";
import type { InputFeature } from "#lib/contract/models";
import type { Adjustment } from "#lib/contract/scenarios";
import { operations, withFeature } from "./recipe.ts";
import { RecipeConditions } from "./recipe-conditions.tsx";
import { ValueField } from "./value-field.tsx";

/** Edits one step of a recipe: operation, feature and rows. The result appears below. */
export function RecipeStep({
  number,
  features,
  conditional,
  step,
  onChange,
  onRemove,
  children,
}: {
  /** Number of the step, starting at 1. */
  number: number;
  /** Features that the step can change. */
  features: readonly InputFeature[];
  /** Features that conditions can name. */
  conditional: readonly InputFeature[];
  step: Adjustment;
  onChange(step: Adjustment): void;
  onRemove(): void;
  children: ReactNode;
}) {
  const displays = useDisplays();
  const { timezone } = useCalendar();
  const find = (name: string) => features.find((feature) => feature.name === name);
  const feature = find(step.feature);
  const { from, to, where = [], ...change } = step;
  const limited = (limits: Pick<Adjustment, "from" | "to" | "where">) => onChange({ ...change, ...limits });
  const span = { ...(from && { from }), ...(to && { to }) };
  const conditions = where.length > 0 ? { where } : {};
  return (
    <fieldset className="space-y-2 rounded-md border p-3">
      <legend className="sr-only">Step {number}</legend>
      <div className="grid grid-cols-[1fr_6rem_auto] items-center gap-2 sm:grid-cols-[1fr_auto_7rem_auto]">
        <Select
          aria-label="Feature"
          className="col-span-3 sm:col-span-1"
          value={step.feature}
          onChange={(event) => {
            const next = find(event.target.value);
            if (next) onChange(withFeature(step, feature, next));
          }}
          options={features.map(({ name }) => [name, displays(name).title])}
        >
          {!feature && <option value={step.feature}>{displays(step.feature).title}</option>}
        </Select>
        <Select
          aria-label="Operation"
          value={step.operation}
          onChange={(event) =>
            onChange({ ...step, operation: event.target.value as Adjustment["operation"] })
          }
          options={Object.entries(operations).filter(
            ([operation]) =>
              operation === "set" || feature?.type === "number" || operation === step.operation,
          )}
        />
        <ValueField
          key={step.feature}
          label="Value"
          feature={feature}
          value={step.value}
          onChange={(value) => onChange({ ...step, value })}
        />
        <Button look="quiet" size="icon" aria-label={`Remove step ${number}`} onClick={onRemove}>
          <Trash2 className="size-4" />
        </Button>
      </div>
      <div className="flex flex-wrap items-center gap-2 text-xs text-ink-faint">
        {(["from", "to"] as const).map((end) => (
          <span key={end} className="flex items-center gap-2">
            <span className={end === "from" ? "w-8 shrink-0" : "w-8 shrink-0 sm:w-auto"}>{end}</span>
            <Input
              type="date"
              aria-label={end === "from" ? "From" : "To"}
              className="!h-7 !w-36 text-xs"
              value={step[end] ? localDay(step[end], timezone) : ""}
              onChange={({ target: { value } }) => {
                const bound = end === "from" ? startOfDay : endOfDay;
                limited({ ...span, ...conditions, [end]: value ? bound(value, timezone) : undefined });
              }}
            />
          </span>
        ))}
        (default: all rows)
      </div>
      <RecipeConditions
        features={conditional}
        value={where}
        onChange={(next) => limited({ ...span, ...(next.length > 0 && { where: next }) })}
      />
      {children}
    </fieldset>
  );
}
