"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import { useForm } from "react-hook-form";
import { toast } from "sonner";
import { z } from "zod";
import { api } from "#components/api/client.ts";
import { Field } from "#components/form/field.tsx";
import { FormError, showServerIssues } from "#components/form/server-errors.tsx";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { Input } from "#components/ui/input.tsx";
import { type Member, Password } from "#lib/contract/members";

export function PasswordDialog({ member, onClose }: { member: Member; onClose(): void }) {
  const form = useForm({
    resolver: zodResolver(z.object({ password: Password })),
    defaultValues: { password: "" },
  });
  const { errors, isSubmitting } = form.formState;
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
    <Dialog
      onClose={onClose}
      title={`New password for ${member.name}`}
      description={`${member.email} is signed out everywhere.`}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" form="member-password" look="primary" busy={isSubmitting}>
            Set password
          </Button>
        </>
      }
    >
      <form id="member-password" onSubmit={submit} noValidate className="space-y-4 text-left">
        <FormError message={errors.root?.message} />
        <Field label="Password" error={errors.password?.message} help="At least 10 characters">
          {(control) => (
            <Input {...control} type="password" autoComplete="new-password" {...form.register("password")} />
          )}
        </Field>
      </form>
    </Dialog>
  );
}
