"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { api, keys } from "#components/api/client.ts";
import { FormDialog } from "#components/form/form-dialog.tsx";
import { TextField } from "#components/form/text-field.tsx";
import { useServerForm } from "#components/form/use-server-form.ts";
import { CreateProject } from "#lib/contract/projects";

export default function CreateProjectDialog({ onClose }: { onClose(): void }) {
  const router = useRouter();
  const client = useQueryClient();
  const { form, submitWith } = useServerForm(CreateProject, { name: "", description: "" });
  const submit = submitWith(async (values) => {
    const project = await api.post("/projects", values);
    await client.invalidateQueries({ queryKey: keys.projects() });
    // The page may take seconds to open. Meanwhile, the form could be sent again.
    onClose();
    router.push(`/projects/${project.id}/data`);
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
      <TextField form={form} name="name" label="Name" placeholder="Hourly bike rentals" />
      <TextField form={form} name="description" label="Description" optional rows={3} />
    </FormDialog>
  );
}
