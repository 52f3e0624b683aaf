/** Roles in a project, each with the permissions of those before it. Without zod, because every page reads them. */
export const projectRoles = ["viewer", "analyst", "admin"] as const;
export type ProjectRole = (typeof projectRoles)[number];

/** Returns whether a role has the permissions of another one. */
export const includesRole = (role: ProjectRole, needed: ProjectRole): boolean =>
  projectRoles.indexOf(role) >= projectRoles.indexOf(needed);
