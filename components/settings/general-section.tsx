"use client";

import { useQueryClient } from "@tanstack/react-query";
import { z } from "zod";
import { api } from "#components/api/client.ts";
import { keys } from "#components/api/keys.ts";
import { FormError } from "#components/form/server-errors.tsx";
import { TextField } from "#components/form/text-field.tsx";
import { useServerForm } from "#components/form/use-server-form.ts";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { toastWithUndo } from "#components/ui/toast-undo.ts";
import { Description } from "#lib/contract/common";
import { type Project, ProjectName, type UpdateProject } from "#lib/contract/projects";

const Names = z.object({ name: ProjectName, description: Description });

export function GeneralSection({ project, isAdmin }: { project: Project; isAdmin: boolean }) {
  const client = useQueryClient();
  const saved = { name: project.name, description: project.description ?? "" };
  const { form, submitWith, onlyDirty } = useServerForm(Names, saved);
  const { errors, isSubmitting, isDirty } = form.formState;
  const change = async (names: UpdateProject) => {
    const { name, description } = await api.patch<Project>(`/projects/${project.id}`, names);
    form.reset({ name, description: description ?? "" });
    await Promise.all([
      client.invalidateQueries({ queryKey: keys.project(project.id) }),
      client.invalidateQueries({ queryKey: keys.projects() }),
    ]);
  };
  const submit = submitWith(async ({ name, description }) => {
    const names = { name, description: description.trim() === "" ? null : description };
    const before = { name: project.name, description: project.description };
    const undone = onlyDirty(before);
    await change(onlyDirty(names));
    toastWithUndo("Saved.", () => change(undone));
  });
  return (
    <Card>
      <CardHeader
        title="General"
        actions={<CopyButton size="sm" look="quiet" text={project.id} label="Copy project ID" />}
      />
      <form onSubmit={submit} noValidate className="space-y-4 px-5 pb-5">
        <FormError message={errors.root?.message} />
        <TextField form={form} name="name" label="Name" disabled={!isAdmin} />
        <TextField form={form} name="description" label="Description" optional rows={3} disabled={!isAdmin} />
        {isAdmin && (
          <div className="flex justify-end">
            <Button type="submit" busy={isSubmitting} disabled={!isDirty}>
              Save
            </Button>
          </div>
        )}
      </form>
    </Card>
  );
}
