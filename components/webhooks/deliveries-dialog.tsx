"use client";

import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { toast } from "sonner";
import { api } from "#components/api/client.ts";
import { queries } from "#components/api/queries.ts";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { ShowMore } from "#components/ui/show-more.tsx";
import { EmptyState, QueryState } from "#components/ui/states.tsx";
import { HiddenTh, Table, Td, Th } from "#components/ui/table.tsx";
import { Time } from "#components/ui/time.tsx";
import type { Delivery, Webhook } from "#lib/contract/webhooks";
import { deliveryTones } from "./webhook-text.ts";

/** While a delivery waits for its next attempt, the list is read again at this pace. */
const pollMs = 2_000;

export default function DeliveriesDialog({ webhook, onClose }: { webhook: Webhook; onClose(): void }) {
  const list = useInfiniteQuery({
    ...queries.deliveries(webhook.projectId, webhook.id),
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some(({ items }) => items.some(({ status }) => status === "Pending")) ? pollMs : false,
  });
  const resend = useMutation({
    mutationFn: ({ id }: Delivery) =>
      api.post(`/projects/${webhook.projectId}/webhooks/${webhook.id}/deliveries/${id}/resend`, {}),
    onSuccess: () => list.refetch(),
    onError: (error) => toast.error(error.message),
  });
  return (
    <Dialog
      width="lg"
      title="Deliveries"
      description={<span className="break-all">{webhook.url}</span>}
      onClose={onClose}
    >
      <QueryState query={list} rows={3} />
      {list.data?.length === 0 && (
        <EmptyState title="No deliveries yet">The next chosen event appears here.</EmptyState>
      )}
      {list.data && list.data.length > 0 && (
        <Table>
          <thead>
            <tr>
              <Th>Event</Th>
              <Th>Status</Th>
              <Th>Last answer</Th>
              <HiddenTh>Actions</HiddenTh>
            </tr>
          </thead>
          <tbody>
            {list.data.map((delivery) => (
              <DeliveryRow
                key={delivery.id}
                delivery={delivery}
                isBusy={resend.isPending}
                onResend={webhook.enabled ? () => resend.mutate(delivery) : null}
              />
            ))}
          </tbody>
        </Table>
      )}
      <ShowMore list={list}>Show older deliveries</ShowMore>
    </Dialog>
  );
}

/** @param props.onResend null for a disabled webhook */
function DeliveryRow({
  delivery,
  isBusy,
  onResend,
}: {
  delivery: Delivery;
  isBusy: boolean;
  onResend: (() => void) | null;
}) {
  const { type, status, attempts, responseStatus, responseBody, error, nextAttemptAt } = delivery;
  return (
    <tr className="align-top">
      <Td>
        <span className="block font-medium">{type}</span>
        <span className="text-xs text-ink-faint">
          <Time at={delivery.createdAt} />
        </span>
      </Td>
      <Td>
        <Badge tone={deliveryTones[status]}>{status}</Badge>
        <span className="mt-1 block text-xs text-ink-faint">
          {attempts === 1 ? "1 attempt" : `${attempts} attempts`}
          {nextAttemptAt && attempts > 0 && (
            <>
              , next <Time at={nextAttemptAt} />
            </>
          )}
        </span>
      </Td>
      <Td className="max-w-72">
        <span className="block truncate" title={error ?? undefined}>
          {error ?? responseStatus ?? "none"}
        </span>
        {responseBody && (
          <code className="block truncate text-xs text-ink-faint" title={responseBody}>
            {responseBody}
          </code>
        )}
      </Td>
      <Td className="text-right">
        {onResend && (
          <Button size="sm" disabled={isBusy} aria-label={`Resend ${type}`} onClick={onResend}>
            Resend
          </Button>
        )}
      </Td>
    </tr>
  );
}
