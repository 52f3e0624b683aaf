"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import { toast } from "sonner";
import { z } from "zod";
import { api } from "#components/api/client.ts";
import { Field } from "#components/form/field.tsx";
import { FormDialog } from "#components/form/form-dialog.tsx";
import { showServerIssues } from "#components/form/server-errors.tsx";
import { Input } from "#components/ui/input.tsx";
import { type Member, Password } from "#lib/contract/members";

export function PasswordDialog({ member, onClose }: { member: Member; onClose(): void }) {
  const form = useForm({
    resolver: zodResolver(z.object({ password: Password })),
    defaultValues: { password: "" },
  });
  const { errors } = form.formState;
  const submit = form.handleSubmit(async (values) => {
    try {
      await api.patch(`/members/${member.id}`, values);
      toast.success(`The password of ${member.name} was changed.`);
      onClose();
    } catch (error) {
      showServerIssues(error, form.setError, ["password"]);
    }
  });
  return (
    <FormDialog
      onClose={onClose}
      title={`New password for ${member.name}`}
      description={`${member.email} is signed out everywhere.`}
      form={form}
      onSubmit={submit}
      action="Set password"
    >
      <Field label="Password" error={errors.password?.message} help="At least 10 characters">
        {(control) => (
          <Input {...control} type="password" autoComplete="new-password" {...form.register("password")} />
        )}
      </Field>
    </FormDialog>
  );
}
