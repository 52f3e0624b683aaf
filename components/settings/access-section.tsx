"use client";

import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { toast } from "sonner";
import { api, keys } from "#components/api/client.ts";
import { queries } from "#components/api/queries.ts";
import { changeResource } from "#components/edit/change-resource.ts";
import { Field } from "#components/form/field.tsx";
import { Button } from "#components/ui/button.tsx";
import { Card, CardHeader } from "#components/ui/card.tsx";
import { Select } from "#components/ui/input.tsx";
import { QueryState } from "#components/ui/states.tsx";
import { HiddenTh, Table, Td, Th } from "#components/ui/table.tsx";
import { Time } from "#components/ui/time.tsx";
import { useIsInteractive } from "#components/ui/use-origin.ts";
import type { ProjectMember } from "#lib/contract/project-members";
import { type ProjectRole, projectRoles } from "#lib/contract/project-roles";
import type { Project } from "#lib/contract/projects";

const accessNames = [
  ["open", "Open: every analyst works here"],
  ["restricted", "Restricted: only the members below"],
] as const;
const roleNames: Record<ProjectRole, string> = { viewer: "Viewer", analyst: "Analyst", admin: "Admin" };
const roleOptions = projectRoles.map((role) => [role, roleNames[role]] as const);

/** Lets an admin of the project decide who has access, and with which role. */
export function AccessSection({ project }: { project: Project }) {
  const isInteractive = useIsInteractive();
  const members = useQuery(queries.projectMembers(project.id));
  const path = `/projects/${project.id}` as const;
  const change = useChange(project.id, (access: Project["access"]) =>
    changeResource(path, (_, etag) => api.patch(path, { access }, etag)),
  );
  return (
    <Card>
      <CardHeader
        title="Access"
        description="Viewers read, compare, predict and download. Analysts also change data, models and scenarios. Admins also manage keys, members and settings."
      />
      <div className="max-w-md px-5 pb-4">
        <Field label="Access to the project">
          <Select
            value={project.access}
            // A choice takes effect at once, so none may be made before the page can send it.
            disabled={!isInteractive || change.isPending}
            options={accessNames}
            onChange={(event) => change.mutate(event.target.value as Project["access"])}
          />
        </Field>
      </div>
      <QueryState query={members} rows={2} />
      {members.data && <MembersTable project={project} members={members.data} />}
    </Card>
  );
}

function MembersTable({ project, members }: { project: Project; members: readonly ProjectMember[] }) {
  return (
    <>
      {members.length === 0 ? (
        <p className="px-5 pb-4 text-[13px] text-ink-soft">
          {project.access === "open"
            ? "No members are listed. All analysts have access."
            : "No members are listed. Only admins of the service have access."}
        </p>
      ) : (
        <Table>
          <thead>
            <tr>
              <Th>Name</Th>
              <Th>Role</Th>
              <Th className="max-sm:hidden">Added</Th>
              <HiddenTh>Actions</HiddenTh>
            </tr>
          </thead>
          <tbody>
            {members.map((member) => (
              <MemberRow key={member.id} projectId={project.id} member={member} />
            ))}
          </tbody>
        </Table>
      )}
      <AddMember projectId={project.id} members={members} />
    </>
  );
}

function MemberRow({ projectId, member }: { projectId: string; member: ProjectMember }) {
  const path = `/projects/${projectId}/members/${member.userId}` as const;
  const change = useChange(projectId, (role: ProjectRole) =>
    changeResource(path, (_, etag) => api.patch(path, { role }, etag)),
  );
  const remove = useChange(projectId, () => api.delete(path));
  return (
    <tr>
      <Td className="font-medium">
        <bdi>{member.name}</bdi>
      </Td>
      <Td>
        <Select
          aria-label={`Role of ${member.name}`}
          className="w-32"
          value={member.role}
          disabled={change.isPending}
          options={roleOptions}
          onChange={(event) => change.mutate(event.target.value as ProjectRole)}
        />
      </Td>
      <Td className="text-ink-faint max-sm:hidden">
        <Time at={member.createdAt} />
      </Td>
      <Td className="text-right">
        <Button
          size="sm"
          look="danger"
          busy={remove.isPending}
          aria-label={`Remove ${member.name} from the project`}
          onClick={() => remove.mutate(undefined)}
        >
          Remove
        </Button>
      </Td>
    </tr>
  );
}

function AddMember({ projectId, members }: { projectId: string; members: readonly ProjectMember[] }) {
  const users = useQuery(queries.members());
  const [userId, setUserId] = useState("");
  const [role, setRole] = useState<ProjectRole>("viewer");
  const add = useChange(projectId, async () => {
    await api.post(`/projects/${projectId}/members`, { userId, role });
    setUserId("");
  });
  const listed = new Set(members.map((member) => member.userId));
  const others = users.data?.filter(({ id }) => !listed.has(id)) ?? [];
  if (others.length === 0) return null;
  return (
    <form
      className="flex flex-wrap items-end gap-3 px-5 py-4"
      onSubmit={(event) => {
        event.preventDefault();
        add.mutate(undefined);
      }}
    >
      <Labelled label="Member to add">
        <Select value={userId} onChange={(event) => setUserId(event.target.value)}>
          <option value="">Choose a member</option>
          {others.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      </Labelled>
      <Labelled label="Role">
        <Select
          value={role}
          options={roleOptions}
          onChange={(event) => setRole(event.target.value as ProjectRole)}
        />
      </Labelled>
      <Button type="submit" disabled={userId === ""} busy={add.isPending}>
        Add to project
      </Button>
    </form>
  );
}

const Labelled = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className="min-w-40">
    <Field label={label}>{children}</Field>
  </div>
);

/** Changes the access of a project, and reads it and its members again. */
function useChange<Value>(projectId: string, send: (value: Value) => Promise<unknown>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: send,
    onSuccess: () => toast.success("Saved."),
    onError: (error) => toast.error(error.message),
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: keys.project(projectId) }),
        client.invalidateQueries({ queryKey: keys.projects() }),
      ]),
  });
}
