"use client";

import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { queries } from "#components/api/queries.ts";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { EmptyState, QueryState } from "#components/ui/states.tsx";
import { HiddenTh, Table, Th } from "#components/ui/table.tsx";
import { WebhookRow } from "./webhook-row.tsx";

const CreateWebhookDialog = dynamic(() => import("./create-webhook-dialog.tsx"), { ssr: false });

/** Lets an admin of the project send its events to other systems. */
export function WebhooksSection({ projectId }: { projectId: string }) {
  const webhooks = useQuery(queries.webhooks(projectId));
  const [isAdding, setAdding] = useState(false);
  return (
    <Card>
      <CardHeader
        title="Webhooks"
        description="Other systems receive the events of this project by HTTP."
        actions={
          <Button onClick={() => setAdding(true)}>
            <Plus className="size-4" /> Add webhook
          </Button>
        }
      />
      <QueryState query={webhooks} rows={2} />
      {webhooks.data?.length === 0 && (
        <EmptyState title="No webhooks yet">
          For example, a pipeline starts when a scenario is completed.
        </EmptyState>
      )}
      {webhooks.data && webhooks.data.length > 0 && (
        <Table>
          <thead>
            <tr>
              <Th>URL and events</Th>
              <Th>State</Th>
              <Th className="max-sm:hidden">Created</Th>
              <HiddenTh>Actions</HiddenTh>
            </tr>
          </thead>
          <tbody>
            {webhooks.data.map((webhook) => (
              <WebhookRow key={webhook.id} webhook={webhook} />
            ))}
          </tbody>
        </Table>
      )}
      {isAdding && <CreateWebhookDialog projectId={projectId} onClose={() => setAdding(false)} />}
    </Card>
  );
}
