"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import { useQueryClient } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { z } from "zod";
import { api } from "#components/api/client.ts";
import { keys } from "#components/api/keys.ts";
import { Field } from "#components/form/field.tsx";
import { FormError, showServerIssues } from "#components/form/server-errors.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { Input, Textarea } from "#components/ui/input.tsx";
import { toastWithUndo } from "#components/ui/toast-undo.ts";
import { Description } from "#lib/contract/common";
import { type Project, ProjectName } from "#lib/contract/projects";

const Names = z.object({ name: ProjectName, description: Description });

export function GeneralSection({ project, isAdmin }: { project: Project; isAdmin: boolean }) {
  const client = useQueryClient();
  const form = useForm({
    resolver: zodResolver(Names),
    defaultValues: { name: project.name, description: project.description ?? "" },
  });
  const { errors, isSubmitting, isDirty } = form.formState;
  const change = async (names: Pick<Project, "name" | "description">) => {
    const saved = await api.patch<Project>(`/projects/${project.id}`, names);
    form.reset({ name: saved.name, description: saved.description ?? "" });
    await Promise.all([
      client.invalidateQueries({ queryKey: keys.project(project.id) }),
      client.invalidateQueries({ queryKey: keys.projects() }),
    ]);
  };
  const submit = form.handleSubmit(async (values) => {
    try {
      const { name, description } = project;
      await change({
        name: values.name,
        description: values.description.trim() === "" ? null : values.description,
      });
      toastWithUndo("Saved.", () => change({ name, description }));
    } catch (error) {
      showServerIssues(error, form.setError, ["name", "description"]);
    }
  });
  return (
    <Card>
      <CardHeader
        title="General"
        actions={<CopyButton size="sm" look="quiet" text={project.id} label="Copy project id" />}
      />
      <form onSubmit={submit} noValidate className="space-y-4 px-5 pb-5">
        <FormError message={errors.root?.message} />
        <Field label="Name" error={errors.name?.message}>
          {(control) => <Input {...control} disabled={!isAdmin} {...form.register("name")} />}
        </Field>
        <Field label="Description" optional error={errors.description?.message}>
          {(control) => <Textarea {...control} disabled={!isAdmin} {...form.register("description")} />}
        </Field>
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
