"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useForm } from "react-hook-form";
import { api } from "#components/api/client.ts";
import { keys } from "#components/api/keys.ts";
import { Field } from "#components/form/field.tsx";
import { FormError, showServerIssues } from "#components/form/server-errors.tsx";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { Input } from "#components/ui/input.tsx";
import { CreateApiKey, type CreatedApiKey } from "#lib/contract/api-keys";
import { CreatedKey } from "./created-key.tsx";
import { endOfDay } from "./key-state.ts";

export function CreateKeyDialog({ projectId, onClose }: { projectId: string; onClose(): void }) {
  const client = useQueryClient();
  const [created, setCreated] = useState<CreatedApiKey | null>(null);
  const form = useForm<CreateApiKey>({ resolver: zodResolver(CreateApiKey), defaultValues: { name: "" } });
  const { errors, isSubmitting } = form.formState;
  const submit = form.handleSubmit(async ({ name, expiresAt }) => {
    try {
      const body: CreateApiKey = { name, ...(expiresAt && { expiresAt }) };
      setCreated(await api.post<CreatedApiKey>(`/projects/${projectId}/api-keys`, body));
      await client.invalidateQueries({ queryKey: keys.project(projectId) });
    } catch (error) {
      showServerIssues(error, form.setError, ["name", "expiresAt"]);
    }
  });
  return (
    <Dialog
      onClose={onClose}
      title={created ? "Your new API key" : "Create API key"}
      description={
        created
          ? undefined
          : "Grants full access to this project, except managing keys and members and deleting the project."
      }
      footer={
        created ? (
          <Button look="primary" onClick={onClose}>
            Done
          </Button>
        ) : (
          <>
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" form="create-api-key" look="primary" busy={isSubmitting}>
              Create key
            </Button>
          </>
        )
      }
    >
      {created ? (
        <CreatedKey projectId={projectId} created={created} />
      ) : (
        <form id="create-api-key" onSubmit={submit} noValidate className="space-y-4">
          <FormError message={errors.root?.message} />
          <Field label="Name" error={errors.name?.message} help="Name of the program that uses the key">
            {(control) => <Input {...control} placeholder="Nightly forecast" {...form.register("name")} />}
          </Field>
          <Field
            label="Expires"
            optional
            error={errors.expiresAt?.message}
            help="End of that day, UTC. Leave empty for a key without expiry"
          >
            {(control) => (
              <Input
                {...control}
                type="date"
                className="max-w-48"
                min={new Date().toISOString().slice(0, 10)}
                {...form.register("expiresAt", { setValueAs: endOfDay })}
              />
            )}
          </Field>
        </form>
      )}
    </Dialog>
  );
}
