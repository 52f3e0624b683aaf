import type { Metadata } from "next";
import { headers } from "next/headers";
import { preload } from "react-dom";
import { Compare } from "#components/compare/compare.tsx";
import { firstRequestPath } from "#components/compare/compare-query.ts";

export const metadata: Metadata = { title: "Compare" };

type Props = {
  params: Promise<{ projectId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

export default async function Page({ params, searchParams }: Props) {
  const { projectId } = await params;
  const first = await firstRequestPath(projectId, searchParams);
  // On navigation within the dashboard, the page sends the request itself or has the data already.
  const isDocument = (await headers()).get("accept")?.includes("text/html");
  if (first !== null && isDocument) preload(`/api/v1${first}`, { as: "fetch", crossOrigin: "anonymous" });
  return <Compare projectId={projectId} />;
}
