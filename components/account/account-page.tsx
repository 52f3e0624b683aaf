"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { toast } from "sonner";
import { api, keys } from "#components/api/client.ts";
import { queries } from "#components/api/queries.ts";
import { useViewer } from "#components/api/viewer.tsx";
import { FormError } from "#components/form/server-errors.tsx";
import { TextField } from "#components/form/text-field.tsx";
import { useServerForm } from "#components/form/use-server-form.ts";
import { Badge } from "#components/ui/badge.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { PageHeader } from "#components/ui/page-header.tsx";
import { QueryState } from "#components/ui/states.tsx";
import { HiddenTh, Table, Td, Th } from "#components/ui/table.tsx";
import { Time } from "#components/ui/time.tsx";
import { useIsInteractive } from "#components/ui/use-origin.ts";
import { ChangePassword, type OwnSession } from "#lib/contract/account";
import { counted } from "#lib/contract/counted";
import { deviceText } from "./device-text.ts";

const endedText = (count: number) => `${counted(count, "other session")} ended.`;

export function AccountPage() {
  const { name, email, role } = useViewer();
  return (
    <>
      <PageHeader title="Account" description={`${name} · ${email} · ${role}`} />
      <div className="space-y-6">
        <PasswordCard />
        <SessionsCard />
      </div>
    </>
  );
}

function PasswordCard() {
  const client = useQueryClient();
  const { form, submitWith } = useServerForm(ChangePassword, { currentPassword: "", newPassword: "" });
  const { errors, isSubmitting } = form.formState;
  const isInteractive = useIsInteractive();
  const submit = submitWith(async (values) => {
    const { endedSessions } = await api.post("/me/password", values);
    form.reset();
    toast.success(`Password changed. ${endedText(endedSessions)}`);
    await client.invalidateQueries({ queryKey: keys.sessions() });
  });
  return (
    <Card>
      <CardHeader title="Password" description="A new password signs you out on all other devices." />
      <form onSubmit={submit} noValidate className="space-y-4 px-5 pb-5">
        <FormError message={errors.root?.message} />
        <TextField
          form={form}
          name="currentPassword"
          label="Current password"
          type="password"
          autoComplete="current-password"
        />
        <TextField
          form={form}
          name="newPassword"
          label="New password"
          type="password"
          help="At least 10 characters"
          autoComplete="new-password"
        />
        <div className="flex justify-end">
          <Button type="submit" look="primary" busy={isSubmitting} disabled={!isInteractive}>
            Change password
          </Button>
        </div>
      </form>
    </Card>
  );
}

/** Lists where the member is signed in. The current session ends by signing out. */
function SessionsCard() {
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
