"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useState } from "react";
import { toast } from "sonner";
import { api, keys } from "#components/api/client.ts";
import { changeResource } from "#components/edit/change-resource.ts";
import { FormError } from "#components/form/server-errors.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { MenuItem, RowMenu } from "#components/ui/menu.tsx";
import { Td } from "#components/ui/table.tsx";
import { Time } from "#components/ui/time.tsx";
import { toastWithUndo } from "#components/ui/toast-undo.ts";
import { usePush } from "#components/ui/use-leave-question.tsx";
import { counted } from "#lib/contract/counted";
import type { ListedMember, Role } from "#lib/contract/members";

const PasswordDialog = dynamic(() => import("./password-dialog.tsx"), { ssr: false });

export function MemberRow({
  member,
  isSelf,
  isAdmin,
}: {
  member: ListedMember;
  isSelf: boolean;
  isAdmin: boolean;
}) {
  const client = useQueryClient();
  const push = usePush();
  const [dialog, setDialog] = useState<"none" | "password" | "disable" | "remove">("none");
  const refresh = () => client.invalidateQueries({ queryKey: keys.members() });
  const path = `/members/${member.id}` as const;
  const setRole = (role: Role) => changeResource(path, (_, etag) => api.patch(path, { role }, etag));
  const other: Role = member.role === "admin" ? "analyst" : "admin";
  const changeRole = useMutation({
    mutationFn: () => setRole(other),
    onSuccess: () => {
      const { name, role } = member;
      toastWithUndo(`${name} is now an ${other}.`, () => setRole(role).finally(refresh));
    },
    onError: (error) => toast.error(error.message),
    onSettled: refresh,
  });
  const setDisabled = useMutation({
    mutationFn: (disabled: boolean) => changeResource(path, (_, etag) => api.patch(path, { disabled }, etag)),
    onSuccess: (_, disabled) => {
      toast.success(
        disabled ? `${member.name} is signed out and disabled.` : `${member.name} can sign in again.`,
      );
      setDialog("none");
    },
    // Only the question before disabling has a place for the error.
    onError: (error, disabled) => disabled || toast.error(error.message),
    onSettled: refresh,
  });
  return (
    <tr>
      <Td className="font-medium">
        <bdi>{member.name}</bdi>
        {isSelf && <span className="ml-2 text-xs font-normal text-ink-faint">you</span>}
        {/* A phone has no room for more columns beside the role. */}
        <p className="text-xs font-normal text-ink-soft [overflow-wrap:anywhere] sm:hidden">{member.email}</p>
      </Td>
      <Td className="text-ink-soft max-sm:hidden">{member.email}</Td>
      <Td>
        <span className="flex flex-wrap gap-1.5">
          <Badge tone={member.role === "admin" ? "accent" : "neutral"}>{member.role}</Badge>
          {member.disabledAt && <Badge tone="warn">disabled</Badge>}
        </span>
      </Td>
      <Td className="text-ink-faint max-sm:hidden">
        <Time at={member.createdAt} />
      </Td>
      <Td className="text-right">
        {isAdmin && (
          <RowMenu row={member.name}>
            <MenuItem onSelect={() => changeRole.mutate()}>Make {other}</MenuItem>
            {isSelf ? (
              // The API rejects the own password here, because it needs the current one.
              <MenuItem onSelect={() => push("/account")}>Change password</MenuItem>
            ) : (
              <MenuItem onSelect={() => setDialog("password")}>Set a new password</MenuItem>
            )}
            {member.disabledAt ? (
              <MenuItem onSelect={() => setDisabled.mutate(false)}>Enable</MenuItem>
            ) : (
              <MenuItem disabled={isSelf} onSelect={() => setDialog("disable")}>
                Disable
              </MenuItem>
            )}
            <MenuItem danger disabled={isSelf} onSelect={() => setDialog("remove")}>
              Remove
            </MenuItem>
          </RowMenu>
        )}
        {dialog === "password" && <PasswordDialog member={member} onClose={() => setDialog("none")} />}
        <ConfirmDialog
          open={dialog === "disable"}
          title={`Disable ${member.name}?`}
          action="Disable member"
          busy={setDisabled.isPending}
          onCancel={() => setDialog("none")}
          onConfirm={() => setDisabled.mutate(true)}
        >
          <div className="space-y-3">
            <FormError message={setDisabled.error?.message} />
            <p>
              {member.email} is signed out everywhere immediately and cannot sign in until enabled again. API
              keys that {member.name} created stay valid. Revoke them in the settings of each project.
            </p>
          </div>
        </ConfirmDialog>
        {dialog === "remove" && <RemoveMemberDialog member={member} onClose={() => setDialog("none")} />}
      </Td>
    </tr>
  );
}

/** Removes a member, on request together with the member's API keys. */
function RemoveMemberDialog({ member, onClose }: { member: ListedMember; onClose(): void }) {
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
