"use client";

import { useQueryClient } from "@tanstack/react-query";
import { z } from "zod";
import { api, keys } from "#components/api/client.ts";
import { EditConflict } from "#components/edit/edit-conflict.tsx";
import { pickChanged } from "#components/edit/pick-changed.ts";
import { useEditForm } from "#components/edit/use-edit-form.ts";
import { FormError } from "#components/form/server-errors.tsx";
import { TextField } from "#components/form/text-field.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { Description } from "#lib/contract/common";
import { limits } from "#lib/contract/limits";
import { type Project, ProjectName } from "#lib/contract/projects";
import { useNewerValues } from "./use-newer-values.ts";

const issue = `Enter a whole number from 1 to ${limits.runsKeptMax}`;
const General = z.object({
  name: ProjectName,
  description: Description,
  runsKept: z.int(issue).min(1, issue).max(limits.runsKeptMax, issue),
});

const read = ({ name, description, runsKept }: Project) => ({
  name,
  description: description ?? "",
  runsKept,
});

export function GeneralSection({ project, isAdmin }: { project: Project; isAdmin: boolean }) {
  const client = useQueryClient();
  const path = `/projects/${project.id}` as const;
  const { form, submit, conflict } = useEditForm(
    General,
    read(project),
    {
      path,
      read,
      fields: [
        { path: "name", label: "Name" },
        { path: "description", label: "Description" },
        { path: "runsKept", label: "Runs kept of each scenario" },
      ],
      send: (edits, etag) => api.patch(path, pickChanged(edits, ["description"]), etag),
    },
    {
      refresh: (saved) => {
        form.reset(saved);
        return Promise.all([
          client.invalidateQueries({ queryKey: keys.project(project.id) }),
          client.invalidateQueries({ queryKey: keys.projects() }),
        ]);
      },
      message: () => "Saved.",
    },
  );
  const { errors, isSubmitting, isDirty } = form.formState;
  useNewerValues(form, read(project));
  return (
    <Card>
      <CardHeader
        title="General"
        actions={<CopyButton size="sm" look="quiet" text={project.id} label="Copy project ID" />}
      />
      <form onSubmit={submit} noValidate className="space-y-4 px-5 pb-5">
        <FormError message={errors.root?.message} />
        <EditConflict conflict={conflict} />
        <TextField form={form} name="name" label="Name" disabled={!isAdmin} />
        <TextField form={form} name="description" label="Description" optional rows={3} disabled={!isAdmin} />
        <TextField
          form={form}
          name="runsKept"
          label="Runs kept of each scenario"
          help="The latest ones. A lower number deletes runs when the next run completes."
          inputMode="numeric"
          className="sm:max-w-60"
          rules={{ valueAsNumber: true }}
          disabled={!isAdmin}
        />
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
