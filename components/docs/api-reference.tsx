"use client";

import { Search } from "lucide-react";
import { useDeferredValue, useMemo, useState } from "react";
import { Input } from "#components/ui/input.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import { FieldList } from "./field-list.tsx";
import { Guide } from "./guide.tsx";
import { Operation } from "./operation.tsx";
import { OwnProjectSelect, useOwnExamples } from "./own-project.tsx";
import type { Reference } from "./reference.ts";
import { ReferenceNav } from "./reference-nav.tsx";
import { searchReference } from "./search-reference.ts";

export function ApiReference({
  reference,
  origin,
  signedIn,
}: {
  reference: Reference;
  /** Scheme and host of the service as the reader reached it. */
  origin: string;
  signedIn: boolean;
}) {
  const [search, setSearch] = useState("");
  const [projectId, setProjectId] = useState("");
  // Kept in memory only: a key typed into a form is never stored.
  const [apiKey, setApiKey] = useState("");
  const wanted = useDeferredValue(search.trim());
  const sections = useMemo(() => searchReference(reference, wanted), [reference, wanted]);
  const objects = useMemo(() => new Set(reference.objects.map(({ name }) => name)), [reference]);
  const { values, bodies } = useOwnExamples(projectId);
  const searching = wanted !== "";
  const caller = { origin, values, apiKey, onApiKey: setApiKey };
  return (
    <div className="mx-auto max-w-[90rem] md:grid md:grid-cols-[17rem_minmax(0,1fr)]">
      <aside className="flex flex-col gap-4 border-b px-4 py-5 md:sticky md:top-13 md:h-[calc(100dvh-3.25rem)] md:border-r md:border-b-0 md:pb-0">
        <div className="relative">
          <Search aria-hidden="true" className="absolute top-2.5 left-3 size-4 text-ink-faint" />
          <Input
            type="search"
            aria-label="Search the reference"
            placeholder="Search"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
            className="!pl-9"
          />
        </div>
        {signedIn && <OwnProjectSelect value={projectId} onChange={setProjectId} />}
        <div className="-mx-4 hidden min-h-0 overflow-y-auto px-4 pb-5 md:block">
          <ReferenceNav sections={sections} withGuide={!searching} />
        </div>
        <details className="md:hidden">
          <summary className="rounded-sm text-[13px] font-medium">Contents</summary>
          <div className="pt-3">
            <ReferenceNav sections={sections} withGuide={!searching} />
          </div>
        </details>
      </aside>
      <main id="content" tabIndex={-1} className="min-w-0 px-4 py-8 sm:px-10">
        <h1 className="mb-6 text-2xl font-semibold tracking-tight">API reference</h1>
        {!searching && (
          <div>
            <Guide origin={origin} values={values} reference={reference} />
          </div>
        )}
        {sections.length === 0 && (
          <EmptyState title="No results">No operation matches “{wanted}”.</EmptyState>
        )}
        {sections.map(({ tag, description, operations }) => (
          <section key={tag} aria-label={tag} className="border-t-2 border-line-strong pt-8 pb-4">
            <h2 className="text-xl font-semibold tracking-tight">{tag}</h2>
            <p className="mt-1 max-w-prose text-ink-soft">{description}</p>
            {operations.map((operation) => (
              <Operation
                key={operation.id}
                operation={operation}
                objects={objects}
                caller={caller}
                {...(bodies[operation.id] !== undefined && { ownBody: bodies[operation.id] })}
              />
            ))}
          </section>
        ))}
        {!searching && (
          <section
            id="objects"
            aria-labelledby="objects-title"
            className="scroll-mt-12 border-t-2 border-line-strong pt-8"
          >
            <h2 id="objects-title" className="text-xl font-semibold tracking-tight">
              Objects
            </h2>
            {reference.objects.map(({ name, fields }) => (
              <article key={name} id={`object-${name}`} className="max-w-4xl scroll-mt-20 py-5">
                <h3 className="mb-2 font-mono text-[13px] font-semibold">{name}</h3>
                <FieldList fields={fields} objects={objects} answered />
              </article>
            ))}
          </section>
        )}
      </main>
    </div>
  );
}
