"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { toast } from "sonner";
import { api } from "#components/api/client.ts";
import { keys } from "#components/api/keys.ts";
import { queries } from "#components/api/queries.ts";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { QueryState } from "#components/ui/states.tsx";
import { HiddenTh, Table, Td, Th } from "#components/ui/table.tsx";
import { Time } from "#components/ui/time.tsx";
import type { OwnSession } from "#lib/contract/account";
import { deviceText } from "./device-text.ts";
import { endedText } from "./ended-text.ts";

/** Lists where the member is signed in. The current session ends by signing out. */
export function SessionsCard() {
  const client = useQueryClient();
  const sessions = useQuery(queries.sessions());
  const end = useMutation({
    mutationFn: (body: { sessionId?: string }) => api.post("/me/sessions/end", body),
    onSuccess: ({ endedSessions }) => toast.success(endedText(endedSessions)),
    onError: (error) => toast.error(error.message),
    onSettled: () => client.invalidateQueries({ queryKey: keys.sessions() }),
  });
  const isAlone = sessions.data?.length === 1;
  return (
    <Card>
      <CardHeader
        title="Sessions"
        description={isAlone ? "You are signed in only here." : "Devices on which you are signed in."}
        actions={
          sessions.data &&
          !isAlone && (
            <Button busy={end.isPending} onClick={() => end.mutate({})}>
              End all other sessions
            </Button>
          )
        }
      />
      <QueryState query={sessions} rows={2} />
      {sessions.data && (
        <Table>
          <thead>
            <tr>
              <Th>Device</Th>
              <Th>Last used</Th>
              <Th className="max-sm:hidden">Signed in</Th>
              <HiddenTh>Actions</HiddenTh>
            </tr>
          </thead>
          <tbody>
            {sessions.data.map((session) => (
              <SessionRow
                key={session.id}
                session={session}
                onEnd={() => end.mutate({ sessionId: session.id })}
              />
            ))}
          </tbody>
        </Table>
      )}
    </Card>
  );
}

function SessionRow({ session, onEnd }: { session: OwnSession; onEnd(): void }) {
  const device = deviceText(session.userAgent);
  return (
    <tr>
      <Td className="max-w-64">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          <span className="truncate" title={session.userAgent ?? undefined}>
            {device}
          </span>
          {session.isCurrent && <Badge tone="accent">this session</Badge>}
        </span>
        <span className="text-xs text-ink-faint [overflow-wrap:anywhere]">
          {session.address ?? "Unknown address"}
        </span>
      </Td>
      <Td className="text-ink-faint">
        <Time at={session.lastUsedAt} />
      </Td>
      <Td className="text-ink-faint max-sm:hidden">
        <Time at={session.createdAt} />
      </Td>
      <Td className="text-right">
        {!session.isCurrent && (
          <Button size="sm" aria-label={`End the session of ${device}`} onClick={onEnd}>
            End
          </Button>
        )}
      </Td>
    </tr>
  );
}
