"use client";

import { useQuery } from "@tanstack/react-query";
import { queries } from "#components/api/queries.ts";
import { useViewer } from "#components/api/viewer.tsx";

/** Returns member names by ID: "you" for the viewer, and "another member" if the list of members is not accessible. */
export function useMemberNames(): (userId: string) => string {
  const viewer = useViewer();
  const members = useQuery(queries.members());
  const names = new Map(members.data?.map(({ id, name }) => [id, name]));
  return (userId) =>
    userId === viewer.id
      ? "you"
      : (names.get(userId) ?? (userId === "system" ? "the demo" : "another member"));
}
