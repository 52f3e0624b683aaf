"use client";

import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import dynamic from "next/dynamic";
import { useQueryState } from "nuqs";
import { queries } from "#components/api/queries.ts";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { Link } from "#components/ui/link.tsx";
import { EmptyState, QueryState } from "#components/ui/states.tsx";
import { HiddenTh, Table, Th } from "#components/ui/table.tsx";
import { useMemberNames } from "#components/users/use-member-names.ts";
import { KeyRow } from "./key-row.tsx";

const CreateKeyDialog = dynamic(() => import("./create-key-dialog.tsx"), { ssr: false });

export function ApiKeysSection({ projectId, isAdmin }: { projectId: string; isAdmin: boolean }) {
  const [opened, setOpened] = useQueryState("open");
  return (
    <Card>
      <CardHeader
        title="API Keys"
        description={
          <>
            Programs authenticate with an API key. See the{" "}
            <Link href="/docs" className="rounded-sm text-accent underline">
              API reference
            </Link>
            .
          </>
        }
        actions={
          isAdmin && (
            <Button look="primary" onClick={() => setOpened("new-key")}>
              <Plus className="size-4" /> Create API Key
            </Button>
          )
        }
      />
      {isAdmin ? (
        <KeyTable projectId={projectId} onCreate={() => setOpened("new-key")} />
      ) : (
        <p className="px-5 pb-5 text-[13px] text-ink-faint">
          Only admins can view and create API keys. Ask an admin for a key.
        </p>
      )}
      {isAdmin && opened === "new-key" && (
        <CreateKeyDialog projectId={projectId} onClose={() => setOpened(null)} />
      )}
    </Card>
  );
}

function KeyTable({ projectId, onCreate }: { projectId: string; onCreate(): void }) {
  const apiKeys = useQuery(queries.apiKeys(projectId));
  const authorOf = useMemberNames();
  if (!apiKeys.data) return <QueryState query={apiKeys} rows={2} />;
  if (apiKeys.data.length === 0) {
    return (
      <EmptyState
        title="No keys yet"
        action={
          <Button onClick={onCreate}>
            <Plus className="size-4" /> Create the first key
          </Button>
        }
      >
        Create one key for each program, so that you can revoke each key separately.
      </EmptyState>
    );
  }
  return (
    <Table>
      <thead>
        <tr>
          <Th>Name</Th>
          <Th>State</Th>
          <Th>Created</Th>
          <Th>Requests, 14 days</Th>
          <Th>Last used</Th>
          <Th>Expires</Th>
          <HiddenTh>Actions</HiddenTh>
        </tr>
      </thead>
      <tbody>
        {apiKeys.data.map((apiKey) => (
          <KeyRow
            key={apiKey.id}
            projectId={projectId}
            apiKey={apiKey}
            apiKeys={apiKeys.data}
            author={authorOf(apiKey.createdBy)}
          />
        ))}
      </tbody>
    </Table>
  );
}
