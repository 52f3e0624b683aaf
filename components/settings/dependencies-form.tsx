"use client";

import { useQueryClient } from "@tanstack/react-query";
import { Plus, Trash2 } from "lucide-react";
import { useFieldArray } from "react-hook-form";
import { api, keys } from "#components/api/client.ts";
import { EditConflict } from "#components/edit/edit-conflict.tsx";
import { useEditForm } from "#components/edit/use-edit-form.ts";
import { Field } from "#components/form/field.tsx";
import { FormError } from "#components/form/server-errors.tsx";
import { Button } from "#components/ui/button.tsx";
import { Input, Select } from "#components/ui/input.tsx";
import { type Project, type ProjectSummary, PutDependencies } from "#lib/contract/projects";

const read = ({ dependencies }: Project) => ({ dependencies });

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
  const path = `/projects/${project.id}` as const;
  const nameOf = (id: string) => projects.find((other) => other.id === id)?.name ?? id;
  const { form, submit, conflict } = useEditForm(
    PutDependencies,
    read(project),
    {
      path,
      read,
      fields: [
        {
          path: "dependencies",
          label: "Dependencies",
          text: (list) =>
            (list as Project["dependencies"])
              .map(({ projectId, featureName }) => `${nameOf(projectId)} as ${featureName}`)
              .join("\n"),
        },
      ],
      send: ({ values }, etag) => api.put(`${path}/dependencies`, values, etag),
    },
    {
      refresh: () =>
        Promise.all([
          client.invalidateQueries({ queryKey: keys.project(project.id) }),
          client.invalidateQueries({ queryKey: keys.projects() }),
        ]),
      done: onDone,
      message: () => "Saved. The next training uses these dependencies.",
    },
  );
  const list = useFieldArray({ control: form.control, name: "dependencies" });
  const { errors, isSubmitting } = form.formState;
  const others = projects.filter(({ id }) => id !== project.id);
  const add = () => {
    const used = form.getValues("dependencies").map(({ projectId }) => projectId);
    const next = others.find(({ id }) => !used.includes(id)) ?? others[0];
    if (next) list.append({ projectId: next.id, featureName: next.target ?? "" });
  };
  return (
    <form onSubmit={submit} noValidate className="space-y-4">
      <FormError message={errors.root?.message} />
      <EditConflict conflict={conflict} />
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
