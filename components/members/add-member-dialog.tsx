"use client";

import { zodResolver } from "@hookform/resolvers/zod";
import { useQueryClient } from "@tanstack/react-query";
import { useForm } from "react-hook-form";
import { toast } from "sonner";
import { api } from "#components/api/client.ts";
import { keys } from "#components/api/keys.ts";
import { Field } from "#components/form/field.tsx";
import { FormDialog } from "#components/form/form-dialog.tsx";
import { showServerIssues } from "#components/form/server-errors.tsx";
import { Input, Select } from "#components/ui/input.tsx";
import { CreateMember } from "#lib/contract/members";

export function AddMemberDialog({ onClose }: { onClose(): void }) {
  const client = useQueryClient();
  const form = useForm({
    resolver: zodResolver(CreateMember),
    defaultValues: { name: "", email: "", password: "", role: "analyst" as const },
  });
  const { errors } = form.formState;
  const submit = form.handleSubmit(async (values) => {
    try {
      await api.post("/members", values);
      await client.invalidateQueries({ queryKey: keys.members() });
      toast.success(`${values.name} can now sign in.`);
      onClose();
    } catch (error) {
      showServerIssues(error, form.setError, ["name", "email", "password", "role"]);
    }
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
      <Field label="Name" error={errors.name?.message}>
        {(control) => <Input {...control} autoComplete="off" {...form.register("name")} />}
      </Field>
      <Field label="Email" error={errors.email?.message}>
        {(control) => <Input {...control} type="email" autoComplete="off" {...form.register("email")} />}
      </Field>
      <Field label="Password" error={errors.password?.message} help="At least 10 characters">
        {(control) => (
          <Input {...control} type="password" autoComplete="new-password" {...form.register("password")} />
        )}
      </Field>
      <Field label="Role" error={errors.role?.message}>
        {(control) => (
          <Select {...control} {...form.register("role")}>
            <option value="analyst">Analyst</option>
            <option value="admin">Admin</option>
          </Select>
        )}
      </Field>
    </FormDialog>
  );
}
