"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useState } from "react";
import { toast } from "sonner";
import { api, keys } from "#components/api/client.ts";
import { changeResource } from "#components/edit/change-resource.ts";
import { FormError } from "#components/form/server-errors.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { MenuItem, RowMenu } from "#components/ui/menu.tsx";
import { Td } from "#components/ui/table.tsx";
import { Time } from "#components/ui/time.tsx";
import type { Webhook } from "#lib/contract/webhooks";
import { disabledTexts, eventTexts, formatTexts } from "./webhook-text.ts";

const EditWebhookDialog = dynamic(() => import("./edit-webhook-dialog.tsx"), { ssr: false });
const RotateSecretDialog = dynamic(() => import("./rotate-secret-dialog.tsx"), { ssr: false });
const DeliveriesDialog = dynamic(() => import("./deliveries-dialog.tsx"), { ssr: false });

export function WebhookRow({ webhook }: { webhook: Webhook }) {
  const [dialog, setDialog] = useState<"none" | "edit" | "deliveries" | "delete">("none");
  /** The webhook whose secret to rotate, as the user saw it: the row follows changes from elsewhere. */
  const [rotating, setRotating] = useState<Webhook | null>(null);
  const path = `/projects/${webhook.projectId}/webhooks/${webhook.id}` as const;
  const close = () => setDialog("none");
  const test = useChange(webhook, async () => {
    await api.post(`${path}/test`, {});
    setDialog("deliveries");
  });
  const toggle = useChange(webhook, () =>
    changeResource(path, (_, etag) => api.patch(path, { enabled: !webhook.enabled }, etag)),
  );
  const remove = useChange(webhook, async () => {
    await api.delete(path);
    close();
  });
  const { hostname } = new URL(webhook.url);
  return (
    <tr className="align-top">
      <Td className="max-w-80">
        <span className="block truncate font-medium" title={webhook.url}>
          {webhook.url}
        </span>
        <span className="text-xs text-ink-faint">
          {webhook.format !== "standard" && `${formatTexts[webhook.format]}: `}
          {webhook.events.map((name) => eventTexts[name]).join(", ")}
        </span>
      </Td>
      <Td>
        <Badge tone={webhook.enabled ? "good" : "bad"}>{webhook.enabled ? "enabled" : "disabled"}</Badge>
        {webhook.disabledReason && webhook.disabledAt && (
          <span className="mt-1 block text-xs text-ink-faint">
            {disabledTexts[webhook.disabledReason]}, <Time at={webhook.disabledAt} />
          </span>
        )}
      </Td>
      <Td className="text-ink-faint max-sm:hidden">
        <Time at={webhook.createdAt} />
      </Td>
      <Td className="text-right">
        <RowMenu row={hostname}>
          <MenuItem disabled={!webhook.enabled} onSelect={() => test.mutate()}>
            Send test event
          </MenuItem>
          <MenuItem onSelect={() => setDialog("deliveries")}>Deliveries</MenuItem>
          <MenuItem onSelect={() => setDialog("edit")}>Edit</MenuItem>
          {webhook.format === "standard" && (
            <MenuItem onSelect={() => setRotating(webhook)}>Rotate secret</MenuItem>
          )}
          <MenuItem onSelect={() => toggle.mutate()}>{webhook.enabled ? "Disable" : "Enable"}</MenuItem>
          <MenuItem danger onSelect={() => setDialog("delete")}>
            Delete
          </MenuItem>
        </RowMenu>
        {dialog === "edit" && <EditWebhookDialog webhook={webhook} onClose={close} />}
        {rotating && <RotateSecretDialog webhook={rotating} onClose={() => setRotating(null)} />}
        {dialog === "deliveries" && <DeliveriesDialog webhook={webhook} onClose={close} />}
        <ConfirmDialog
          open={dialog === "delete"}
          title={`Delete the webhook to ${hostname}?`}
          action="Delete webhook"
          busy={remove.isPending}
          onCancel={close}
          onConfirm={() => remove.mutate()}
        >
          <div className="space-y-3 text-left">
            <FormError message={remove.error?.message} />
            <p>Events are no longer sent, and the list of deliveries is deleted. This cannot be undone.</p>
          </div>
        </ConfirmDialog>
      </Td>
    </tr>
  );
}

/** Changes a webhook, and reads the project's webhooks and deliveries again. */
function useChange({ projectId }: Webhook, send: () => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onError: (error) => toast.error(error.message),
    onSettled: () => client.invalidateQueries({ queryKey: keys.project(projectId) }),
  });
}
