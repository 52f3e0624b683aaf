"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import { useQueryClient } from "@tanstack/react-query";
import { Controller, useForm } from "react-hook-form";
import { api } from "#components/api/client.ts";
import { keys } from "#components/api/keys.ts";
import { Field } from "#components/form/field.tsx";
import { FormDialog } from "#components/form/form-dialog.tsx";
import { showServerIssues } from "#components/form/server-errors.tsx";
import { ColorPicker } from "#components/ui/color-picker.tsx";
import { Input, Textarea } from "#components/ui/input.tsx";
import { toastWithUndo } from "#components/ui/toast-undo.ts";
import { type Scenario, UpdateScenario } from "#lib/contract/scenarios";
import { TagField } from "./tag-field.tsx";

export function EditScenarioDialog({ scenario, onClose }: { scenario: Scenario; onClose(): void }) {
  const client = useQueryClient();
  const form = useForm({
    resolver: zodResolver(UpdateScenario),
    defaultValues: {
      title: scenario.title,
      description: scenario.description ?? "",
      notes: scenario.notes ?? "",
      tags: scenario.tags,
      color: scenario.color,
    },
  });
  const { errors } = form.formState;
  const change = async (values: UpdateScenario) => {
    await api.patch(`/projects/${scenario.projectId}/scenarios/${scenario.id}`, values);
    await client.invalidateQueries({ queryKey: keys.scenarios(scenario.projectId) });
  };
  const submit = form.handleSubmit(async (values) => {
    try {
      await change(values);
      onClose();
      const { title, description, notes, tags, color } = scenario;
      toastWithUndo(`“${values.title}” was changed.`, () =>
        change({ title, description, notes, tags, color }),
      );
    } catch (error) {
      showServerIssues(error, form.setError, ["title", "description", "notes", "tags", "color"]);
    }
  });
  return (
    <FormDialog onClose={onClose} title="Edit scenario" form={form} onSubmit={submit} action="Save">
      <Field label="Title" error={errors.title?.message}>
        {(control) => <Input {...control} {...form.register("title")} />}
      </Field>
      <Field label="Description" optional error={errors.description?.message}>
        {(control) => <Textarea {...control} {...form.register("description")} />}
      </Field>
      <Controller
        control={form.control}
        name="tags"
        render={({ field }) => (
          <TagField
            projectId={scenario.projectId}
            value={field.value ?? []}
            error={errors.tags?.message ?? errors.tags?.find?.((one) => one)?.message}
            onChange={field.onChange}
          />
        )}
      />
      <Field label="Notes" optional error={errors.notes?.message}>
        {(control) => <Textarea {...control} rows={4} {...form.register("notes")} />}
      </Field>
      <div>
        <p className="mb-1.5 text-[13px] font-medium">Colour</p>
        <Controller
          control={form.control}
          name="color"
          render={({ field }) => (
            <ColorPicker label="Colour" value={field.value ?? ""} onChange={field.onChange} />
          )}
        />
      </div>
    </FormDialog>
  );
}
