"use client";

import { useMutation, useQueryClient } from "@tanstack/react-query";
import dynamic from "next/dynamic";
import { useState } from "react";
import { toast } from "sonner";
import { api, keys } from "#components/api/client.ts";
import { FormError } from "#components/form/server-errors.tsx";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { ConfirmDialog } from "#components/ui/confirm-dialog.tsx";
import { formatInteger } from "#components/ui/format.ts";
import { Td } from "#components/ui/table.tsx";
import { Time } from "#components/ui/time.tsx";
import { Tooltip } from "#components/ui/tooltip.tsx";
import { type ListedApiKey, scopes } from "#lib/contract/api-keys";
import { keyState, keyStateTones } from "./key-state.ts";

const RotateKeyDialog = dynamic(() => import("./rotate-key-dialog.tsx"), { ssr: false });

export function KeyRow({
  projectId,
  apiKey,
  apiKeys,
  author,
}: {
  projectId: string;
  apiKey: ListedApiKey;
  /** All keys of the project. */
  apiKeys: readonly ListedApiKey[];
  author: string;
}) {
  const client = useQueryClient();
  /** The key to rotate, as the user saw it: the row follows changes from elsewhere. */
  const [rotating, setRotating] = useState<ListedApiKey | null>(null);
  const [isRevoking, setIsRevoking] = useState(false);
  const state = keyState(apiKey, apiKeys);
  const works = state === "active" || state === "replaced";
  const revoke = useMutation({
    mutationFn: () => api.delete(`/projects/${projectId}/api-keys/${apiKey.id}`),
    onSuccess: () => {
      toast.success(`“${apiKey.name}” was revoked.`);
      setIsRevoking(false);
    },
    onSettled: () => client.invalidateQueries({ queryKey: keys.project(projectId) }),
  });
  return (
    <tr className={works ? undefined : "text-ink-faint"}>
      <Td className="max-w-56">
        <span className="block truncate font-medium" title={apiKey.name}>
          {apiKey.name}
        </span>
        <span className="font-mono text-xs text-ink-faint">{apiKey.prefix}…</span>
        {apiKey.scopes.length < scopes.length && (
          <span className="block text-xs text-ink-faint">only {apiKey.scopes.join(" and ")}</span>
        )}
        {apiKey.allowedAddresses && (
          <span className="block truncate text-xs text-ink-faint" title={apiKey.allowedAddresses.join(", ")}>
            from {apiKey.allowedAddresses.join(", ")}
          </span>
        )}
      </Td>
      <Td>
        <span className="flex flex-wrap gap-1.5">
          <Badge tone={keyStateTones[state]}>{state}</Badge>
          {apiKey.createdByRemoved && <Badge tone="warn">Creator removed</Badge>}
        </span>
      </Td>
      <Td className="text-ink-faint">
        <Time at={apiKey.createdAt} />
        <span className="block max-w-36 truncate text-xs" title={author}>
          by {author}
        </span>
      </Td>
      <Td className="figures">
        <RequestBars requests={apiKey.requests} />
      </Td>
      <Td className="text-ink-faint">{apiKey.lastUsedAt ? <Time at={apiKey.lastUsedAt} /> : "never"}</Td>
      <Td className="text-ink-faint">{apiKey.expiresAt ? <Time at={apiKey.expiresAt} /> : "never"}</Td>
      <Td>
        {works && (
          <span className="flex justify-end gap-2">
            {state === "active" && (
              <Button size="sm" aria-label={`Rotate ${apiKey.name}`} onClick={() => setRotating(apiKey)}>
                Rotate
              </Button>
            )}
            <Button
              size="sm"
              look="danger"
              aria-label={`Revoke ${apiKey.name}`}
              onClick={() => setIsRevoking(true)}
            >
              Revoke
            </Button>
          </span>
        )}
        {rotating && (
          <RotateKeyDialog projectId={projectId} apiKey={rotating} onClose={() => setRotating(null)} />
        )}
        <ConfirmDialog
          open={isRevoking}
          title={`Revoke “${apiKey.name}”?`}
          action="Revoke key"
          busy={revoke.isPending}
          onCancel={() => setIsRevoking(false)}
          onConfirm={() => revoke.mutate()}
        >
          <div className="space-y-3">
            <FormError message={revoke.error?.message} />
            <p>
              Programs that use the key <span className="font-mono">{apiKey.prefix}…</span> lose access
              immediately. This cannot be undone.
            </p>
          </div>
        </ConfirmDialog>
      </Td>
    </tr>
  );
}

const barWidth = 5;
const height = 20;

/** Summarises the requests: "1,204 in 14 days, most on 2026-01-30 (310)". */
function requestsText(requests: ListedApiKey["requests"]): string {
  const total = requests.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return `None in ${requests.length} days`;
  const most = requests.reduce((a, b) => (b.count > a.count ? b : a));
  return `${formatInteger(total)} in ${requests.length} days, most on ${most.day} (${formatInteger(most.count)})`;
}

/** Draws a key's recent requests, one bar per day, with their sum. */
function RequestBars({ requests }: { requests: ListedApiKey["requests"] }) {
  const highest = Math.max(...requests.map(({ count }) => count), 1);
  const total = requests.reduce((sum, { count }) => sum + count, 0);
  return (
    <Tooltip content={requestsText(requests)}>
      <span className="inline-flex items-end gap-2.5">
        <svg
          width={requests.length * barWidth}
          height={height}
          role="img"
          aria-label={requestsText(requests)}
          className="shrink-0"
        >
          {requests.map(({ day, count }, index) => {
            // Keeps a single request visible next to thousands.
            const size = count === 0 ? 1 : Math.max(2, (count / highest) * height);
            return (
              <rect
                key={day}
                x={index * barWidth}
                y={height - size}
                width={barWidth - 1.5}
                height={size}
                className={count === 0 ? "fill-line-strong" : "fill-accent/70"}
              />
            );
          })}
        </svg>
        <span className="text-ink-soft" aria-hidden="true">
          {formatInteger(total)}
        </span>
      </span>
    </Tooltip>
  );
}
