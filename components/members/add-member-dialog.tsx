"use client";

import { useQueryClient } from "@tanstack/react-query";
import { toast } from "sonner";
import { api } from "#components/api/client.ts";
import { keys } from "#components/api/keys.ts";
import { Field } from "#components/form/field.tsx";
import { FormDialog } from "#components/form/form-dialog.tsx";
import { TextField } from "#components/form/text-field.tsx";
import { useServerForm } from "#components/form/use-server-form.ts";
import { Select } from "#components/ui/input.tsx";
import { NewPassword } from "#components/users/new-password.tsx";
import { CreateMember } from "#lib/contract/members";

export default function AddMemberDialog({ onClose }: { onClose(): void }) {
  const client = useQueryClient();
  const { form, submitWith } = useServerForm(CreateMember, {
    name: "",
    email: "",
    password: "",
    role: "analyst",
  });
  const submit = submitWith(async (values) => {
    await api.post("/members", values);
    await client.invalidateQueries({ queryKey: keys.members() });
    toast.success(`${values.name} can now sign in.`);
    onClose();
  });
  return (
    <FormDialog
      onClose={onClose}
      title="Add a member"
      description="Send the new member the service address, the email and the password."
      form={form}
      onSubmit={submit}
      action="Add member"
    >
      <TextField form={form} name="name" label="Name" autoComplete="off" />
      <TextField form={form} name="email" label="Email" type="email" autoComplete="off" />
      <NewPassword form={form} />
      <Field label="Role" error={form.formState.errors.role?.message}>
        <Select {...form.register("role")}>
          <option value="analyst">Analyst</option>
          <option value="admin">Admin</option>
        </Select>
      </Field>
    </FormDialog>
  );
}
