"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { toast } from "sonner";
import { api, keys } from "#components/api/client.ts";
import { Field } from "#components/form/field.tsx";
import { FormError } from "#components/form/server-errors.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { Input } from "#components/ui/input.tsx";
import type { Project } from "#lib/contract/projects";

export function DeleteSection({ project }: { project: Project }) {
  const client = useQueryClient();
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const [typed, setTyped] = useState("");
  const remove = useMutation({
    mutationFn: () => api.delete(`/projects/${project.id}`),
    onSuccess: () => {
      toast.success(`Deleting “${project.name}”.`);
      router.push("/projects");
      return client.invalidateQueries({ queryKey: keys.projects() });
    },
  });
  const close = () => {
    setOpen(false);
    setTyped("");
    remove.reset();
  };
  return (
    <Card className="border-bad/30">
      <CardHeader
        title="Delete this project"
        description="Deletes all data, models, checkpoints, scenarios and keys. This cannot be undone."
        actions={
          <Button look="danger" onClick={() => setOpen(true)}>
            Delete project
          </Button>
        }
      />
      <ConfirmDialog
        open={open}
        title={`Delete “${project.name}”?`}
        action="Delete project"
        busy={remove.isPending}
        disabled={typed.trim() !== project.name.trim()}
        onCancel={close}
        onConfirm={() => remove.mutate()}
      >
        <div className="space-y-4">
          <p>
            The project's data, models, checkpoints, scenarios, predictions and API keys are deleted
            permanently. Programs that use the project stop working immediately.
          </p>
          <FormError message={remove.error?.message} />
          <Field label={`Type “${project.name}” to confirm`}>
            <Input value={typed} autoComplete="off" onChange={(event) => setTyped(event.target.value)} />
          </Field>
        </div>
      </ConfirmDialog>
    </Card>
  );
}
