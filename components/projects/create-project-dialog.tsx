"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useForm } from "react-hook-form";
import { api } from "#components/api/client.ts";
import { keys } from "#components/api/keys.ts";
import { Field } from "#components/form/field.tsx";
import { FormDialog } from "#components/form/form-dialog.tsx";
import { showServerIssues } from "#components/form/server-errors.tsx";
import { Input, Textarea } from "#components/ui/input.tsx";
import { CreateProject, type Project } from "#lib/contract/projects";

export function CreateProjectDialog({ onClose }: { onClose(): void }) {
  const router = useRouter();
  const client = useQueryClient();
  const form = useForm({
    resolver: zodResolver(CreateProject),
    defaultValues: { name: "", description: "" },
  });
  const { errors } = form.formState;
  const submit = form.handleSubmit(async (values) => {
    try {
      const project = await api.post<Project>("/projects", values);
      await client.invalidateQueries({ queryKey: keys.projects() });
      router.push(`/projects/${project.id}/data`);
    } catch (error) {
      showServerIssues(error, form.setError, ["name", "description"]);
    }
  });
  return (
    <FormDialog
      onClose={onClose}
      title="New project"
      description="A project holds one dataset, its models and their scenarios."
      form={form}
      onSubmit={submit}
      action="Create project"
    >
      <Field label="Name" error={errors.name?.message}>
        {(control) => <Input {...control} placeholder="Hourly bike rentals" {...form.register("name")} />}
      </Field>
      <Field label="Description" optional error={errors.description?.message}>
        {(control) => <Textarea {...control} {...form.register("description")} />}
      </Field>
    </FormDialog>
  );
}
