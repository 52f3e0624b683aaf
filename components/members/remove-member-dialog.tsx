"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "sonner";
import { api } from "#components/api/client.ts";
import { keys } from "#components/api/keys.ts";
import { FormError } from "#components/form/server-errors.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { counted } from "#lib/contract/counted";
import type { ListedMember } from "#lib/contract/members";

/** Removes a member, on request together with the member's API keys. */
export function RemoveMemberDialog({ member, onClose }: { member: ListedMember; onClose(): void }) {
  const client = useQueryClient();
  const [revokeApiKeys, setRevokeApiKeys] = useState(false);
  const activeApiKeys = member.activeApiKeys ?? 0;
  const remove = useMutation({
    mutationFn: () => api.delete(`/members/${member.id}?revokeApiKeys=${revokeApiKeys}`),
    onSuccess: () => {
      toast.success(`${member.name} was removed.`);
      onClose();
    },
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: keys.members() }),
        client.invalidateQueries({ queryKey: ["project"] }),
      ]),
  });
  return (
    <ConfirmDialog
      open
      title={`Remove ${member.name}?`}
      action="Remove member"
      busy={remove.isPending}
      onCancel={onClose}
      onConfirm={() => remove.mutate()}
    >
      <div className="space-y-3">
        <FormError message={remove.error?.message} />
        <p>
          {member.email} is signed out everywhere and cannot sign in again. Everything that {member.name}{" "}
          created stays, including API keys.
        </p>
        {activeApiKeys > 0 && (
          <Checkbox checked={revokeApiKeys} onChange={(event) => setRevokeApiKeys(event.target.checked)}>
            Also revoke {counted(activeApiKeys, "API key")} of this member
          </Checkbox>
        )}
      </div>
    </ConfirmDialog>
  );
}
