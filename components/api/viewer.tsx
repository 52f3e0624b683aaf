"use client";

import { createContext, type ReactNode, useContext } from "react";
import type { Viewer } from "#components/layout/account-menu.tsx";

const Context = createContext<Viewer | null>(null);

export function ViewerProvider({ viewer, children }: { viewer: Viewer; children: ReactNode }) {
  return <Context value={viewer}>{children}</Context>;
}

/** Who is signed in: pages leave out what their role cannot do. The service decides for itself all the same. */
export function useViewer(): Viewer {
  const viewer = useContext(Context);
  if (!viewer) throw new Error("useViewer outside of the dashboard");
  return viewer;
}
