import { dehydrate, HydrationBoundary, QueryClient, type QueryKey } from "@tanstack/react-query";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import type { RouteHandler } from "#lib/api/route-declaration";

/** What a page shows at first: the route that answers it, and the key under which the page asks for it. */
export type Wanted = {
  route: RouteHandler;
  /** With its query: what the route's own address would be after `/api/v1`. */
  path: string;
  params?: Record<string, string>;
  key: QueryKey;
  /** `whole`: a list that the page reads to its end. `pages`: one that it reads page by page. */
  as: "one" | "whole" | "pages";
};

/**
 * Renders a page with its data, so that the first paint has them. They are asked of the routes themselves, in this
 * process and with the reader's own session: what somebody may see is decided in one place. What cannot be had is left
 * to the page, which asks again and tells why.
 */
export async function Prefetched({ wanted, children }: { wanted: readonly Wanted[]; children: ReactNode }) {
  const client = new QueryClient();
  const cookie = (await headers()).get("cookie") ?? "";
  await Promise.all(
    wanted.map(async ({ route, path, params = {}, key, as }) => {
      const request = new Request(`http://localhost/api/v1${path}`, { headers: { cookie } });
      const response = await route(request, { params: Promise.resolve(params) });
      if (!response.ok) return;
      const { data } = (await response.json()) as { data: unknown };
      const next = /<([^>]+)>;\s*rel="next"/.exec(response.headers.get("link") ?? "")?.[1];
      const nextCursor = next ? new URL(next, "http://localhost").searchParams.get("cursor") : null;
      if (as === "pages") {
        client.setQueryData(key, { pages: [{ items: data, nextCursor }], pageParams: [""] });
      } else if (as === "one" || nextCursor === null) client.setQueryData(key, data);
    }),
  );
  return <HydrationBoundary state={dehydrate(client)}>{children}</HydrationBoundary>;
}
