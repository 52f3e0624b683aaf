"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import { useQueryClient } from "@tanstack/react-query";
import { Plus, Trash2 } from "lucide-react";
import { type Path, useFieldArray, useForm } from "react-hook-form";
import { toast } from "sonner";
import { api } from "#components/api/client.ts";
import { keys } from "#components/api/keys.ts";
import { queries } from "#components/api/queries.ts";
import { Field } from "#components/form/field.tsx";
import { showServerIssues } from "#components/form/server-errors.tsx";
import { Button } from "#components/ui/button.tsx";
import { Input, Select } from "#components/ui/input.tsx";
import { type Project, type ProjectSummary, PutDependencies } from "#lib/contract/projects";

import { changeProject } from "./change-project.ts";
import { SettingsError } from "./settings-error.tsx";

type Values = { dependencies: { projectId: string; featureName: string }[] };

export default function DependenciesForm({
  project,
  projects,
  onDone,
}: {
  project: Project;
  projects: readonly ProjectSummary[];
  onDone(): void;
}) {
  const client = useQueryClient();
  const form = useForm<Values>({
    resolver: zodResolver(PutDependencies),
    defaultValues: { dependencies: project.dependencies },
  });
  const list = useFieldArray({ control: form.control, name: "dependencies" });
  const { errors, isSubmitting } = form.formState;
  const others = projects.filter(({ id }) => id !== project.id);
  const submit = form.handleSubmit(async (values) => {
    try {
      const { defaultValues: seen } = form.formState;
      await changeProject(
        project.id,
        ({ dependencies }) => JSON.stringify(dependencies) === JSON.stringify(seen?.dependencies),
        (version) => api.put<Project>(`/projects/${project.id}/dependencies`, values, version),
      );
      await Promise.all([
        client.invalidateQueries({ queryKey: keys.project(project.id) }),
        client.invalidateQueries({ queryKey: keys.projects() }),
      ]);
      toast.success("Saved. The next training uses these dependencies.");
      onDone();
    } catch (error) {
      const fields = values.dependencies.flatMap((_, index): Path<Values>[] => [
        `dependencies.${index}.projectId`,
        `dependencies.${index}.featureName`,
      ]);
      showServerIssues(error, form.setError, fields);
    }
  });
  const reload = async () => {
    const { dependencies } = await client.fetchQuery({ ...queries.project(project.id), staleTime: 0 });
    form.reset({ dependencies });
  };
  const add = () => {
    const used = form.getValues("dependencies").map(({ projectId }) => projectId);
    const next = others.find(({ id }) => !used.includes(id)) ?? others[0];
    if (next) list.append({ projectId: next.id, featureName: next.target ?? "" });
  };
  return (
    <form onSubmit={submit} noValidate className="space-y-4">
      <SettingsError error={errors.root} onReload={reload} />
      {list.fields.map((field, index) => (
        <fieldset key={field.id} className="grid gap-3 sm:grid-cols-[1fr_1fr_auto]">
          <legend className="sr-only">Dependency {index + 1}</legend>
          <Field label="Project" error={errors.dependencies?.[index]?.projectId?.message}>
            <Select
              {...form.register(`dependencies.${index}.projectId`)}
              options={others.map(({ id, name }) => [id, name])}
            />
          </Field>
          <Field label="Feature name" error={errors.dependencies?.[index]?.featureName?.message}>
            <Input
              placeholder="temperature_forecast"
              spellCheck={false}
              className="font-mono text-xs"
              {...form.register(`dependencies.${index}.featureName`)}
            />
          </Field>
          <Button
            look="quiet"
            size="icon"
            className="sm:mt-7"
            aria-label={`Remove dependency ${index + 1}`}
            onClick={() => list.remove(index)}
          >
            <Trash2 className="size-4" />
          </Button>
        </fieldset>
      ))}
      <div className="flex flex-wrap justify-between gap-2">
        <Button onClick={add} disabled={others.length === 0}>
          <Plus className="size-4" /> Add a dependency
        </Button>
        <span className="flex gap-2">
          <Button onClick={onDone}>Cancel</Button>
          <Button type="submit" look="primary" busy={isSubmitting}>
            Save
          </Button>
        </span>
      </div>
    </form>
  );
}
