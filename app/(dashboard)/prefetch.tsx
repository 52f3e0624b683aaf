import {
  dehydrate,
  HydrationBoundary,
  QueryClient,
  type QueryKey,
  type QueryMeta,
} from "@tanstack/react-query";
import { headers } from "next/headers";
import { notFound } from "next/navigation";
import type { ReactNode } from "react";
import type { RouteHandler } from "#lib/api/route-declaration";

/** Data of a page's first paint: the query that the page makes, and the route that answers it. */
type PageData = readonly [route: RouteHandler, query: { queryKey: QueryKey; meta?: QueryMeta | undefined }];

/** Answers 404 for a page of a resource that does not exist. Call it before the page streams, so outside of `Suspense`. */
export async function requireFound(
  [route, { meta }]: PageData,
  params: Record<string, string>,
): Promise<void> {
  await callRoute(route, meta?.path, params);
}

async function callRoute(
  route: RouteHandler,
  path = "",
  params: Record<string, string> = {},
): Promise<Response> {
  const cookie = (await headers()).get("cookie") ?? "";
  const request = new Request(`http://localhost/api/v1${path}`, { headers: { cookie } });
  const response = await route(request, { params: Promise.resolve(params) });
  if (response.status === 404) notFound();
  return response;
}

/**
 * Renders a page with its data, so that the first paint shows them. Calls the API routes in this process with the
 * user's session, so that access is decided in one place. A route that answers 404 makes the page answer 404. If a route
 * fails otherwise, the page requests the data again and shows the error.
 */
export async function Prefetched({
  wanted,
  params,
  children,
}: {
  wanted: readonly PageData[];
  /** Parameters of the routes. */
  params?: Record<string, string>;
  children: ReactNode;
}) {
  const client = new QueryClient();
  await Promise.all(
    wanted.map(async ([route, { queryKey, meta }]) => {
      const response = await callRoute(route, meta?.path, params);
      if (!response.ok) return;
      const { data } = (await response.json()) as { data: unknown };
      const next = /<([^>]+)>;\s*rel="next"/.exec(response.headers.get("link") ?? "")?.[1];
      const nextCursor = next ? new URL(next, "http://localhost").searchParams.get("cursor") : null;
      if (meta?.as === "pages") {
        client.setQueryData(queryKey, { pages: [{ items: data, nextCursor }], pageParams: [""] });
      } else if (meta?.as === "one" || nextCursor === null) client.setQueryData(queryKey, data);
    }),
  );
  return <HydrationBoundary state={dehydrate(client)}>{children}</HydrationBoundary>;
}
