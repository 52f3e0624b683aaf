"use client";

import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { FieldErrors } from "react-hook-form";
import { api, keys } from "#components/api/client.ts";
import { FormDialog } from "#components/form/form-dialog.tsx";
import { FormError } from "#components/form/server-errors.tsx";
import { TextField } from "#components/form/text-field.tsx";
import { useServerForm } from "#components/form/use-server-form.ts";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { CreateApiKey, type CreatedApiKey, type Scope, scopes } from "#lib/contract/api-keys";
import { CreatedKey } from "./created-key.tsx";
import { endOfDay } from "./key-state.ts";

const scopeTexts: Record<Scope, string> = {
  read: "Read: projects, data, scenarios, predictions",
  predict: "Predict: predictions, previews and checks, nothing stored",
  write: "Write: all that changes the project",
};

/** Converts text to a list; empty text and other values to none. */
function listOf(text: unknown): string[] | undefined {
  if (Array.isArray(text)) return text;
  const parts = typeof text === "string" ? text.split(/[\s,;]+/).filter((part) => part !== "") : [];
  return parts.length > 0 ? parts : undefined;
}

/** Returns the error of the list, or the first one of its entries. */
function wrongAddress(error: FieldErrors<CreateApiKey>["allowedAddresses"]): string | undefined {
  const ofEntry = Array.isArray(error) ? error.find((one) => one?.message) : undefined;
  return ofEntry?.message ?? error?.message;
}

export default function CreateKeyDialog({ projectId, onClose }: { projectId: string; onClose(): void }) {
  const client = useQueryClient();
  const [created, setCreated] = useState<CreatedApiKey | null>(null);
  const { form, submitWith } = useServerForm(CreateApiKey, { name: "", scopes: [...scopes] });
  const { errors } = form.formState;
  const submit = submitWith(async ({ name, expiresAt, scopes: permitted, allowedAddresses }) => {
    const body: CreateApiKey = {
      name,
      scopes: permitted,
      ...(expiresAt && { expiresAt }),
      ...(allowedAddresses && { allowedAddresses }),
    };
    setCreated(await api.post(`/projects/${projectId}/api-keys`, body));
    await client.invalidateQueries({ queryKey: keys.project(projectId) });
  });
  return (
    <FormDialog
      form={form}
      onSubmit={submit}
      onClose={onClose}
      title={created ? "Your new API key" : "Create API key"}
      description="Grants access to this project, except managing keys and members and deleting the project."
      action="Create key"
      done={created && <CreatedKey projectId={projectId} created={created} />}
    >
      <TextField
        form={form}
        name="name"
        label="Name"
        help="Name of the program that uses the key"
        placeholder="Nightly forecast"
      />
      <TextField
        form={form}
        name="expiresAt"
        label="Expires"
        optional
        help="End of that day, UTC. Leave empty for a key without expiry"
        type="date"
        className="max-w-48"
        min={new Date().toISOString().slice(0, 10)}
        rules={{ setValueAs: endOfDay }}
      />
      <TextField
        form={form}
        name="allowedAddresses"
        label="Allowed addresses"
        optional
        help="Addresses and networks of the program, separated by commas. Leave empty to permit all"
        placeholder="192.0.2.7, 10.0.0.0/8"
        error={wrongAddress(errors.allowedAddresses)}
        rules={{ setValueAs: listOf }}
      />
      <fieldset className="space-y-2">
        <legend className="mb-1 text-[13px] font-medium">Permitted calls</legend>
        {scopes.map((scope) => (
          <Checkbox key={scope} value={scope} {...form.register("scopes")}>
            {scopeTexts[scope]}
          </Checkbox>
        ))}
        <FormError message={errors.scopes?.message} />
      </fieldset>
    </FormDialog>
  );
}
