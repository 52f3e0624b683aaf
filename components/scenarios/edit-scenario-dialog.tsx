"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Controller } from "react-hook-form";
import { api, keys } from "#components/api/client.ts";
import { EditConflict } from "#components/edit/edit-conflict.tsx";
import { pickChanged } from "#components/edit/pick-changed.ts";
import { useEditForm } from "#components/edit/use-edit-form.ts";
import { FormDialog } from "#components/form/form-dialog.tsx";
import { TextField } from "#components/form/text-field.tsx";
import { ColorPicker } from "#components/ui/color-picker.tsx";
import { colorName } from "#components/ui/palette.ts";
import { type Scenario, UpdateScenario } from "#lib/contract/scenarios";
import { TagField } from "./tag-field.tsx";

const read = ({ title, description, notes, tags, color }: Scenario) => ({
  title,
  tags,
  color,
  description: description ?? "",
  notes: notes ?? "",
});

export default function EditScenarioDialog({ scenario, onClose }: { scenario: Scenario; onClose(): void }) {
  const client = useQueryClient();
  const path = `/projects/${scenario.projectId}/scenarios/${scenario.id}` as const;
  const { form, submit, conflict } = useEditForm(
    UpdateScenario,
    read(scenario),
    {
      path,
      read,
      fields: [
        { path: "title", label: "Title" },
        { path: "description", label: "Description" },
        { path: "tags", label: "Tags" },
        { path: "notes", label: "Notes" },
        { path: "color", label: "Colour", text: (color) => colorName(String(color)) },
      ],
      send: (edits, etag) => api.patch(path, pickChanged(edits, ["description", "notes"]), etag),
    },
    {
      refresh: () => client.invalidateQueries({ queryKey: keys.scenarios(scenario.projectId) }),
      done: onClose,
      message: ({ title }) => `“${title}” was changed.`,
    },
  );
  const { errors, isDirty } = form.formState;
  return (
    <FormDialog
      onClose={onClose}
      title="Edit scenario"
      form={form}
      onSubmit={submit}
      action="Save"
      disabled={!isDirty}
    >
      <EditConflict conflict={conflict} />
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
