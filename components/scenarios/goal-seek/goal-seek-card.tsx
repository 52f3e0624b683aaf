"use client";

import { useMutation } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { flushSync } from "react-dom";
import { toast } from "sonner";
import { api } from "#components/api/client.ts";
import { useMay } from "#components/api/viewer.tsx";
import { useDisplays, useTarget } from "#components/display/displays.tsx";
import { focusInvalid } from "#components/form/focus-invalid.ts";
import { FormError } from "#components/form/server-errors.tsx";
import { useChangeableInputs } from "#components/scenarios/changeable-inputs.ts";
import { hasEffect } from "#components/scenarios/recipe.ts";
import { RecipeText } from "#components/scenarios/scenario-facts.tsx";
import { SpanFields } from "#components/scenarios/span-fields.tsx";
import { useAdjustedScenario } from "#components/scenarios/use-adjusted-scenario.ts";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { Select } from "#components/ui/input.tsx";
import { Skeleton } from "#components/ui/skeleton.tsx";
import type { GoalSeekRequest, GoalSeekResult } from "#lib/contract/goal-seek";
import { limits } from "#lib/contract/limits";
import type { InputFeature } from "#lib/contract/models";
import type { Scenario } from "#lib/contract/scenarios";
import { type GoalFields, goalRequest, newLever, resultText } from "./goal-form.ts";
import { LeverRow } from "./lever-row.tsx";
import { NumberField } from "./number-field.tsx";

/** Seeks the setting of some inputs with which the predictions reach a goal. */
export function GoalSeekCard({
  scenario,
  where,
}: {
  scenario: Scenario;
  /** Of many series, those to change. */
  where: readonly string[];
}) {
  const { inputs, error } = useChangeableInputs(scenario.projectId, scenario.checkpointId);
  // The panel above shows the error.
  if (error && !inputs) return null;
  if (!inputs)
    return (
      <Card className="p-5">
        <Skeleton className="h-24" />
      </Card>
    );
  const features = inputs.filter(({ type }) => type === "number");
  // A model without numeric inputs has nothing to set.
  if (features.length === 0) return null;
  return (
    <Card>
      <CardHeader
        title="Reach a goal"
        description="Finds the setting of up to six inputs that comes closest to a goal."
      />
      <GoalForm scenario={scenario} where={where} features={features} />
    </Card>
  );
}

function GoalForm({
  scenario,
  where,
  features,
}: {
  scenario: Scenario;
  where: readonly string[];
  features: readonly InputFeature[];
}) {
  const target = useTarget();
  const { projectId, id, summary, firstTimestamp } = scenario;
  const [fields, setFields] = useState<GoalFields>(() => ({
    levers: [newLever(features[0]!)],
    statistic: "sum",
    of: "prediction",
    relation: "equal",
    value: summary?.sum == null || where.length > 0 ? "" : String(Number(summary.sum.toPrecision(3))),
    most: "",
    from: "",
    to: "",
  }));
  const seek = useMutation({
    mutationFn: (body: GoalSeekRequest) => api.post(`/projects/${projectId}/scenarios/${id}/goal-seek`, body),
  });
  const change = (part: Partial<GoalFields>) => {
    setFields({ ...fields, ...part });
    seek.reset();
  };
  const choice = <K extends "statistic" | "of" | "relation">(
    name: K,
    label: string,
    names: Record<GoalFields[K], string>,
  ) => (
    <Select
      aria-label={label}
      className="w-auto!"
      value={fields[name]}
      onChange={(event) => change({ [name]: event.target.value })}
      options={Object.entries<string>(names)}
    />
  );
  const { request, errors } = goalRequest(fields);
  const [isAsked, setIsAsked] = useState(false);
  const shown = isAsked ? errors : null;
  return (
    <form
      className="space-y-4 px-5 pb-5 text-[13px]"
      // Validated by the browser first: numbers and days that it cannot read have empty values here.
      onSubmit={(event) => {
        event.preventDefault();
        flushSync(() => setIsAsked(request === null));
        if (request) seek.mutate({ ...request, ...(where.length > 0 && { where: [...where] }) });
        else focusInvalid(event.currentTarget);
      }}
    >
      <div className="flex flex-wrap items-baseline gap-2">
        {choice("statistic", "Statistic", { sum: "Sum", mean: "Mean", max: "Maximum", min: "Minimum" })}
        of the
        {choice("of", "Predictions or bounds", {
          prediction: `predictions of ${target.name}`,
          lower: "lower bounds (90 %)",
          upper: "upper bounds (90 %)",
        })}
        {choice("relation", "Relation", {
          equal: "equals",
          atMost: "is at most",
          atLeast: "is at least",
        })}
        <NumberField
          label={target.head("Goal")}
          value={fields.value}
          error={shown?.value}
          onChange={(value) => change({ value })}
        />
        {target.unit}
        <span className="flex items-baseline gap-2">
          and every row is at most
          <NumberField
            label="Limit of every row"
            placeholder="no limit"
            value={fields.most}
            error={shown?.most}
            onChange={(most) => change({ most })}
          />
          {target.unit}
        </span>
      </div>
      {firstTimestamp !== null && (
        <fieldset aria-label="Days of the goal">
          <SpanFields scenario={scenario} span={fields} onChange={change} />
        </fieldset>
      )}
      <div className="space-y-2">
        {fields.levers.map((lever, at) => (
          <LeverRow
            // biome-ignore lint/suspicious/noArrayIndexKey: a lever is its place
            key={at}
            number={at + 1}
            features={features}
            lever={lever}
            errors={shown?.levers[at] ?? {}}
            onChange={(next) => change({ levers: fields.levers.with(at, next) })}
            {...(fields.levers.length > 1 && {
              onRemove: () => change({ levers: fields.levers.toSpliced(at, 1) }),
            })}
          />
        ))}
      </div>
      <div className="flex flex-wrap gap-2">
        {fields.levers.length < limits.levers && (
          <Button
            type="button"
            onClick={() => {
              const next = features[fields.levers.length % features.length]!;
              change({ levers: [...fields.levers, newLever(next)] });
            }}
          >
            <Plus className="size-4" /> Add an input
          </Button>
        )}
        <Button type="submit" look="primary" disabled={seek.isPending}>
          {seek.isPending ? "Searching…" : "Find the setting"}
        </Button>
      </div>
      <FormError message={shown?.days ?? seek.error?.message} />
      {seek.data && <GoalResult scenario={scenario} goal={seek.variables.goal} result={seek.data} />}
    </form>
  );
}

function GoalResult({
  scenario,
  goal,
  result,
}: {
  scenario: Scenario;
  goal: GoalSeekRequest["goal"];
  result: GoalSeekResult;
}) {
  const create = useAdjustedScenario(scenario);
  const mayCreate = useMay()("createScenario");
  const isUnchanged = !result.adjustments.some(hasEffect);
  const text = resultText(result, goal, { target: useTarget(), displays: useDisplays() });
  return (
    <div className="space-y-2 rounded-md border p-4" aria-live="polite">
      <p className="font-medium">{text.title}</p>
      {isUnchanged ? <p>With the inputs as they are.</p> : <RecipeText steps={result.adjustments} />}
      {text.details.map((detail) => (
        <p key={detail} className="text-xs text-ink-soft">
          {detail}
        </p>
      ))}
      <FormError message={create.error?.message} />
      {mayCreate && (
        <Button
          type="button"
          size="sm"
          disabled={create.isPending || create.isSuccess || isUnchanged}
          onClick={() =>
            create.mutate(result.adjustments, {
              onSuccess: () => toast.success("The scenario with this setting is running."),
            })
          }
        >
          Create this scenario
        </Button>
      )}
    </div>
  );
}
