"use client";

import { useQuery } from "@tanstack/react-query";
import { queries } from "#components/api/queries.ts";
import { useViewer } from "#components/api/viewer.tsx";

/** Names of users by id: "you" for oneself; where the list of members may not be read, nobody else has a name. */
export function useMemberNames(): (userId: string) => string {
  const viewer = useViewer();
  const members = useQuery(queries.members());
  const names = new Map(members.data?.map(({ id, name }) => [id, name]));
  return (userId) =>
    userId === viewer.id
      ? "you"
      : (names.get(userId) ?? (userId === "system" ? "the demo" : "another member"));
}
