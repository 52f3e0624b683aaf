import { dehydrate, HydrationBoundary, QueryClient, type QueryKey } from "@tanstack/react-query";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import type { RouteHandler } from "#lib/api/route-declaration";

/** Data of a page's first paint: the route that returns it, and the query key under which the page reads it. */
type PageData = {
  route: RouteHandler;
  /** Path of the route after `/api/v1`, with its query. */
  path: string;
  params?: Record<string, string>;
  key: QueryKey;
  /** `one`: a single resource. `whole`: a list that the page reads to its end. `pages`: a list that it reads page by page. */
  as: "one" | "whole" | "pages";
};

/**
 * Renders a page with its data, so that the first paint shows them. Calls the API routes in this process with the
 * user's session, so that access is decided in one place. If a route fails, the page requests the data again and shows
 * the error.
 */
export async function Prefetched({ wanted, children }: { wanted: readonly PageData[]; children: ReactNode }) {
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
