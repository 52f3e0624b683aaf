"use client";

import { useQueryClient } from "@tanstack/react-query";
import { toast } from "sonner";
import { api, keys } from "#components/api/client.ts";
import { useViewer } from "#components/api/viewer.tsx";
import { Field } from "#components/form/field.tsx";
import { FormDialog } from "#components/form/form-dialog.tsx";
import { TextField } from "#components/form/text-field.tsx";
import { useServerForm } from "#components/form/use-server-form.ts";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { Select } from "#components/ui/input.tsx";
import { NewPassword } from "#components/users/new-password.tsx";
import { CreateMember } from "#lib/contract/members";

/** Password of a member who will choose another one by the link in the mail. */
const unknownPassword = () => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(30))));

export default function AddMemberDialog({ onClose }: { onClose(): void }) {
  const client = useQueryClient();
  const { hasMail } = useViewer();
  const { form, submitWith } = useServerForm(CreateMember, {
    name: "",
    email: "",
    password: hasMail ? unknownPassword() : "",
    role: "analyst",
    invite: hasMail,
  });
  const invite = form.watch("invite");
  const submit = submitWith(async (values) => {
    await api.post("/members", values);
    await client.invalidateQueries({ queryKey: keys.members() });
    toast.success(
      values.invite ? `${values.name} gets a mail with a link.` : `${values.name} can now sign in.`,
    );
    onClose();
  });
  return (
    <FormDialog
      onClose={onClose}
      title="Add a member"
      description={
        invite
          ? "The new member gets a mail with a link to sign in."
          : "Send the new member the service address, the email and the password."
      }
      form={form}
      onSubmit={submit}
      action="Add member"
    >
      <TextField form={form} name="name" label="Name" autoComplete="off" />
      <TextField form={form} name="email" label="Email" type="email" autoComplete="off" />
      {hasMail && (
        <Checkbox
          {...form.register("invite", {
            onChange: ({ target }) => form.setValue("password", target.checked ? unknownPassword() : ""),
          })}
        >
          Send an invitation by mail
        </Checkbox>
      )}
      {!invite && <NewPassword form={form} />}
      <Field label="Role" error={form.formState.errors.role?.message}>
        <Select {...form.register("role")}>
          <option value="analyst">Analyst</option>
          <option value="admin">Admin</option>
        </Select>
      </Field>
    </FormDialog>
  );
}
