import { readFile } from "node:fs/promises";
import type { Metadata } from "next";
import { headers } from "next/headers";
import { queries } from "#components/api/queries.ts";
import { ApiReference } from "#components/docs/api-reference.tsx";
import { prepareReference } from "#components/docs/prepare-reference.ts";
import type { Reference } from "#components/docs/reference.ts";
import { Logo } from "#components/layout/logo.tsx";
import { ThemeToggle } from "#components/layout/theme-toggle.tsx";
import { Link } from "#components/ui/link.tsx";
import { SkipLink } from "#components/ui/skip-link.tsx";
import { publicOrigin } from "#lib/api/caller/origin";
import { openApiDocument } from "#lib/api/openapi/document";
import { sessionUser } from "#lib/domain/users/sessions";
import { Prefetched } from "../(dashboard)/prefetch.tsx";
import { documentedRoutes } from "../api/v1/documented-routes.ts";
import { GET as listProjects } from "../api/v1/projects/route.ts";

export const metadata: Metadata = { title: "API reference" };

let reference: Promise<Reference> | undefined;

/** Returns the API reference. Made once, because the routes and files of a process do not change. */
function apiReference(): Promise<Reference> {
  reference ??= makeReference();
  return reference;
}

async function makeReference(): Promise<Reference> {
  const [document, glossary] = await Promise.all([
    openApiDocument(documentedRoutes),
    readFile("docs/glossary.md", "utf8"),
  ]);
  return prepareReference(document, glossary);
}

export default async function Page() {
  const sent = new Headers(await headers());
  const [prepared, viewer] = await Promise.all([apiReference(), sessionUser(sent)]);
  const origin = publicOrigin(new Request("http://localhost", { headers: sent }));
  return (
    <>
      <SkipLink />
      <header className="sticky top-0 z-30 border-b bg-surface/95 backdrop-blur">
        <div className="flex h-13 items-center gap-3 px-4 sm:px-6">
          <Link href="/projects" className="flex rounded-sm" aria-label="All projects">
            <Logo />
          </Link>
          <div className="flex-1" />
          <Link
            href={viewer ? "/projects" : "/login"}
            className="rounded-sm px-2 text-[13px] text-ink-soft hover:text-ink"
          >
            {viewer ? "Projects" : "Sign in"}
          </Link>
          <ThemeToggle />
        </div>
      </header>
      <Prefetched wanted={viewer ? [[listProjects, queries.projects()]] : []}>
        <ApiReference reference={prepared} origin={origin} signedIn={viewer !== null} />
      </Prefetched>
    </>
  );
}
