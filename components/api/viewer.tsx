"use client";

import { createContext, type ReactNode, useContext } from "react";
import type { Role } from "#lib/contract/members";
import { operationRoles } from "#lib/contract/operation-roles";
import { includesRole, type ProjectRole } from "#lib/contract/project-roles";

export type Viewer = {
  id: string;
  name: string;
  email: string;
  role: Role;
  /** Whether the service sends mail. */
  hasMail: boolean;
  /** Whether saved comparisons can be shared by links. */
  sharesComparisons: boolean;
};

const Context = createContext<Viewer | null>(null);

export function ViewerProvider({ viewer, children }: { viewer: Viewer; children: ReactNode }) {
  return <Context value={viewer}>{children}</Context>;
}

/** Provides the signed-in member. */
export function useViewer(): Viewer {
  const viewer = useContext(Context);
  if (!viewer) throw new Error("useViewer must be used inside the dashboard.");
  return viewer;
}

const ProjectRoleContext = createContext<ProjectRole | null>(null);

/** Provides the role of the signed-in member in the project of the page; null without one. */
export function ProjectRoleProvider({ role, children }: { role: ProjectRole | null; children: ReactNode }) {
  return <ProjectRoleContext value={role}>{children}</ProjectRoleContext>;
}

/**
 * Returns a test of whether the signed-in member may call an operation, in the project of the page. Pages hide
 * controls of other operations, because they would only answer 403. The service still checks every request.
 */
export function useMay(): (operation: keyof typeof operationRoles) => boolean {
  const viewer = useViewer();
  const role = useContext(ProjectRoleContext);
  return (operation) => {
    const needed = operationRoles[operation];
    if (needed === "service admin") return viewer.role === "admin";
    return role !== null && includesRole(role, needed);
  };
}
