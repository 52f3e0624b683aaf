"use client";

import { useQuery } from "@tanstack/react-query";
import { Controller, type UseFormReturn } from "react-hook-form";
import { queries } from "#components/api/queries.ts";
import { Field } from "#components/form/field.tsx";
import { TextField } from "#components/form/text-field.tsx";
import { Select } from "#components/ui/input.tsx";
import { generateLabel } from "#lib/contract/checkpoint-label";
import type { Checkpoint } from "#lib/contract/checkpoints";
import type { ProjectSummary } from "#lib/contract/projects";
import { checkpointOptions, currentModelOf, newerModelHint, saveCurrent } from "./current-model.ts";
import { newCheckpoint, type ScenarioValues } from "./scenario-form.ts";

/** Selects the checkpoint of this project, and one for each upstream project. */
export function CheckpointFields({
  form,
  project,
  checkpoints,
  upstream,
}: {
  form: UseFormReturn<ScenarioValues>;
  project: ProjectSummary;
  checkpoints: readonly Checkpoint[];
  upstream: readonly ProjectSummary[];
}) {
  const { errors } = form.formState;
  const selected = form.watch("checkpointId");
  const current = currentModelOf(project, checkpoints);
  const nextLabel = generateLabel(project.name, new Date(), new Set(checkpoints.map(({ label }) => label)));
  return (
    <>
      <Field label="Checkpoint" error={errors.checkpointId?.message} help={newerModelHint(current, selected)}>
        <Select {...form.register("checkpointId")} options={checkpointOptions(checkpoints, current)} />
      </Field>
      {selected === newCheckpoint && (
        <TextField
          form={form}
          name="checkpointLabel"
          label="Label of the new checkpoint"
          optional
          help={`Default: ${nextLabel}`}
        />
      )}
      {upstream.map((project) => (
        <UpstreamField key={project.id} form={form} project={project} />
      ))}
    </>
  );
}

function UpstreamField({ form, project }: { form: UseFormReturn<ScenarioValues>; project: ProjectSummary }) {
  const checkpoints = useQuery(queries.checkpoints(project.id));
  return (
    <Field
      label={`Upstream checkpoint: ${project.name}`}
      help="Predicts inputs of this scenario, which keeps this checkpoint"
    >
      {/* Controlled, because the options arrive after the field has its value. */}
      <Controller
        control={form.control}
        name={`upstreams.${project.id}`}
        render={({ field }) => (
          <Select
            {...field}
            options={[...checkpointOptions(checkpoints.data), ...(project.currentModel ? [saveCurrent] : [])]}
          />
        )}
      />
    </Field>
  );
}
