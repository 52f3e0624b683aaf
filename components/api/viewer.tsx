"use client";

import { createContext, type ReactNode, useContext } from "react";
import type { Role } from "#lib/contract/members";

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

/**
 * Provides the signed-in member. Pages hide actions that the role does not allow; the service still checks every
 * request.
 */
export function useViewer(): Viewer {
  const viewer = useContext(Context);
  if (!viewer) throw new Error("useViewer must be used inside the dashboard.");
  return viewer;
}
