"use client";

import { toast } from "sonner";
import { z } from "zod";
import { api } from "#components/api/client.ts";
import { changeResource } from "#components/edit/change-resource.ts";
import { FormDialog } from "#components/form/form-dialog.tsx";
import { useServerForm } from "#components/form/use-server-form.ts";
import { NewPassword } from "#components/users/new-password.tsx";
import { type Member, Password } from "#lib/contract/members";

export default function PasswordDialog({ member, onClose }: { member: Member; onClose(): void }) {
  const { form, submitWith } = useServerForm(z.object({ password: Password }), { password: "" });
  const submit = submitWith(async (values) => {
    const path = `/members/${member.id}` as const;
    await changeResource(path, (_, etag) => api.patch(path, values, etag));
    toast.success(`The password of ${member.name} was changed.`);
    onClose();
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
      <NewPassword form={form} />
    </FormDialog>
  );
}
