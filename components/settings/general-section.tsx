"use client";

import { useQueryClient } from "@tanstack/react-query";
import { z } from "zod";
import { api } from "#components/api/client.ts";
import { keys } from "#components/api/keys.ts";
import { queries } from "#components/api/queries.ts";
import { TextField } from "#components/form/text-field.tsx";
import { useServerForm } from "#components/form/use-server-form.ts";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { toastWithUndo } from "#components/ui/toast-undo.ts";
import { Description } from "#lib/contract/common";
import { type Project, ProjectName, type UpdateProject } from "#lib/contract/projects";

import { changeProject } from "./change-project.ts";
import { SettingsError } from "./settings-error.tsx";
import { useNewerValues } from "./use-newer-values.ts";

const Names = z.object({ name: ProjectName, description: Description });

export function GeneralSection({ project, isAdmin }: { project: Project; isAdmin: boolean }) {
  const client = useQueryClient();
  const saved = { name: project.name, description: project.description ?? "" };
  const { form, submitWith, onlyDirty } = useServerForm(Names, saved);
  const { errors, isSubmitting, isDirty } = form.formState;
  useNewerValues(form, saved);
  const change = async (names: UpdateProject, seen: UpdateProject) => {
    const { name, description } = await changeProject(
      project.id,
      (now) =>
        Object.entries(seen).every(([field, value]) => (now[field as keyof UpdateProject] || null) === value),
      (version) => api.patch<Project>(`/projects/${project.id}`, names, version),
    );
    form.reset({ name, description: description ?? "" });
    await Promise.all([
      client.invalidateQueries({ queryKey: keys.project(project.id) }),
      client.invalidateQueries({ queryKey: keys.projects() }),
    ]);
  };
  const submit = submitWith(async ({ name, description }) => {
    const names = { name, description: description.trim() === "" ? null : description };
    const { defaultValues: seen = saved } = form.formState;
    const before = { name: seen.name ?? "", description: seen.description || null };
    const [made, undone] = [onlyDirty(names), onlyDirty(before)];
    await change(made, undone);
    toastWithUndo("Saved.", () => change(undone, made));
  });
  const reload = async () => {
    const { name, description } = await client.fetchQuery({ ...queries.project(project.id), staleTime: 0 });
    form.reset({ name, description: description ?? "" });
  };
  return (
    <Card>
      <CardHeader
        title="General"
        actions={<CopyButton size="sm" look="quiet" text={project.id} label="Copy project ID" />}
      />
      <form onSubmit={submit} noValidate className="space-y-4 px-5 pb-5">
        <SettingsError error={errors.root} onReload={reload} />
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
