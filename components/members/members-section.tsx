"use client";

import { useQuery } from "@tanstack/react-query";
import { UserPlus } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { queries } from "#components/api/queries.ts";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { QueryState } from "#components/ui/states.tsx";
import { HiddenTh, Table, Th } from "#components/ui/table.tsx";
import { MemberRow } from "./member-row.tsx";

const AddMemberDialog = dynamic(() => import("./add-member-dialog.tsx"), { ssr: false });

export function MembersSection({ isAdmin, viewerId }: { isAdmin: boolean; viewerId: string }) {
  const members = useQuery(queries.members());
  const [adding, setAdding] = useState(false);
  return (
    <Card>
      <CardHeader
        title="Members"
        description="Members of the service. Analysts work in open projects and where they are listed. Admins have every permission everywhere."
        actions={
          isAdmin && (
            <Button onClick={() => setAdding(true)}>
              <UserPlus className="size-4" /> Add member
            </Button>
          )
        }
      />
      <QueryState query={members} rows={2} />
      {members.data && (
        <Table>
          <thead>
            <tr>
              <Th>Name</Th>
              <Th className="max-sm:hidden">Email</Th>
              <Th>Role</Th>
              <Th className="max-sm:hidden">Member since</Th>
              <HiddenTh>Actions</HiddenTh>
            </tr>
          </thead>
          <tbody>
            {members.data.map((member) => (
              <MemberRow key={member.id} member={member} isSelf={member.id === viewerId} isAdmin={isAdmin} />
            ))}
          </tbody>
        </Table>
      )}
      {adding && <AddMemberDialog onClose={() => setAdding(false)} />}
    </Card>
  );
}
