"use client";

import { useQueryClient } from "@tanstack/react-query";
import { toast } from "sonner";
import { api } from "#components/api/client.ts";
import { keys } from "#components/api/keys.ts";
import { FormError } from "#components/form/server-errors.tsx";
import { TextField } from "#components/form/text-field.tsx";
import { useServerForm } from "#components/form/use-server-form.ts";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { useIsInteractive } from "#components/ui/use-origin.ts";
import { ChangePassword } from "#lib/contract/account";
import { endedText } from "./ended-text.ts";

export function PasswordCard() {
  const client = useQueryClient();
  const { form, submitWith } = useServerForm(ChangePassword, { currentPassword: "", newPassword: "" });
  const { errors, isSubmitting } = form.formState;
  const isInteractive = useIsInteractive();
  const submit = submitWith(async (values) => {
    const { endedSessions } = await api.post("/me/password", values);
    form.reset();
    toast.success(`Password changed. ${endedText(endedSessions)}`);
    await client.invalidateQueries({ queryKey: keys.sessions() });
  });
  return (
    <Card>
      <CardHeader title="Password" description="A new password signs you out on all other devices." />
      <form onSubmit={submit} noValidate className="space-y-4 px-5 pb-5">
        <FormError message={errors.root?.message} />
        <TextField
          form={form}
          name="currentPassword"
          label="Current password"
          type="password"
          autoComplete="current-password"
        />
        <TextField
          form={form}
          name="newPassword"
          label="New password"
          type="password"
          help="At least 10 characters"
          autoComplete="new-password"
        />
        <div className="flex justify-end">
          <Button type="submit" look="primary" busy={isSubmitting} disabled={!isInteractive}>
            Change password
          </Button>
        </div>
      </form>
    </Card>
  );
}
