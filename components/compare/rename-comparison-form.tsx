"use client";

import { z } from "zod";
import { api } from "#components/api/client.ts";
import { EditConflict } from "#components/edit/edit-conflict.tsx";
import { useEditForm } from "#components/edit/use-edit-form.ts";
import { Field } from "#components/form/field.tsx";
import { FormError } from "#components/form/server-errors.tsx";
import { Button } from "#components/ui/button.tsx";
import { Input } from "#components/ui/input.tsx";
import { limits } from "#lib/contract/limits";
import { ComparisonName, type SavedComparison } from "#lib/contract/saved-comparisons";

const Names = z.object({ name: ComparisonName });

const read = ({ name }: SavedComparison) => ({ name });

/** Renames a saved comparison in its place in the list. */
export function RenameForm({
  comparison,
  onReread,
  onDone,
}: {
  comparison: SavedComparison;
  onReread(): Promise<unknown>;
  onDone(): void;
}) {
  const path = `/projects/${comparison.projectId}/comparisons/${comparison.id}` as const;
  const { form, submit, conflict } = useEditForm(
    Names,
    read(comparison),
    {
      path,
      read,
      fields: [{ path: "name", label: "Name" }],
      send: ({ values }, etag) => api.patch(path, values, etag),
    },
    { refresh: onReread, done: onDone, message: ({ name }) => `Renamed to “${name}”.` },
  );
  const { errors, isSubmitting } = form.formState;
  return (
    <form onSubmit={submit} noValidate className="space-y-2">
      <EditConflict conflict={conflict} />
      <Field label={`New name of ${comparison.name}`} error={errors.name?.message}>
        <div className="flex gap-2">
          <Input maxLength={limits.comparisonNameMax} {...form.register("name")} />
          <Button type="submit" look="primary" busy={isSubmitting}>
            Rename
          </Button>
          <Button onClick={onDone}>Cancel</Button>
        </div>
      </Field>
      <FormError message={errors.root?.message} />
    </form>
  );
}
