"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Controller } from "react-hook-form";
import { api } from "#components/api/client.ts";
import { keys } from "#components/api/keys.ts";
import { FormDialog } from "#components/form/form-dialog.tsx";
import { TextField } from "#components/form/text-field.tsx";
import { useServerForm } from "#components/form/use-server-form.ts";
import { ColorPicker } from "#components/ui/color-picker.tsx";
import { toastWithUndo } from "#components/ui/toast-undo.ts";
import { type Scenario, UpdateScenario } from "#lib/contract/scenarios";
import { TagField } from "./tag-field.tsx";

export default function EditScenarioDialog({ scenario, onClose }: { scenario: Scenario; onClose(): void }) {
  const client = useQueryClient();
  const { title, description, notes, tags, color } = scenario;
  const { form, submitWith, onlyDirty } = useServerForm(UpdateScenario, {
    ...{ title, tags, color },
    description: description ?? "",
    notes: notes ?? "",
  });
  const { errors, isDirty } = form.formState;
  const change = async (values: UpdateScenario) => {
    await api.patch(`/projects/${scenario.projectId}/scenarios/${scenario.id}`, values);
    await client.invalidateQueries({ queryKey: keys.scenarios(scenario.projectId) });
  };
  const submit = submitWith(async (values) => {
    const before = onlyDirty({ title, description, notes, tags, color });
    await change(onlyDirty(values));
    onClose();
    toastWithUndo(`“${values.title}” was changed.`, () => change(before));
  });
  return (
    <FormDialog
      onClose={onClose}
      title="Edit scenario"
      form={form}
      onSubmit={submit}
      action="Save"
      disabled={!isDirty}
    >
      <TextField form={form} name="title" label="Title" />
      <TextField form={form} name="description" label="Description" optional rows={3} />
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
      <TextField form={form} name="notes" label="Notes" optional rows={4} />
      <div>
        <p className="mb-1.5 text-[13px] font-medium">Colour</p>
        <Controller
          control={form.control}
          name="color"
          render={({ field }) => <ColorPicker value={field.value ?? ""} onChange={field.onChange} />}
        />
      </div>
    </FormDialog>
  );
}
