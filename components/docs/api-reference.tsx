"use client";

import { useQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { useDeferredValue, useId, useMemo, useState } from "react";
import { queries } from "#components/api/queries.ts";
import { predictBody, requestedFeatures, startValues } from "#components/form/try-values.ts";
import { Input, Select } from "#components/ui/input.tsx";
import { EmptyState } from "#components/ui/states.tsx";
import type { InputFeature } from "#lib/contract/models";
import type { ExampleValues } from "./curl.ts";
import { FieldList } from "./field-list.tsx";
import { Guide } from "./guide.tsx";
import { Operation } from "./operation.tsx";
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
  const searchText = useDeferredValue(search.trim());
  const sections = useMemo(() => searchReference(reference, searchText), [reference, searchText]);
  const objects = useMemo(() => new Set(reference.objects.map(({ name }) => name)), [reference]);
  const { values, bodies } = useOwnExamples(projectId);
  const searching = searchText !== "";
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
          <EmptyState title="No results">No operation matches “{searchText}”.</EmptyState>
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
                ownBody={bodies[operation.id]}
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

const exampleOf = (features: readonly InputFeature[]) =>
  predictBody(features, startValues(features, null), "");

type OwnExamples = { values: ExampleValues; bodies: Readonly<Record<string, unknown>> };
const none: OwnExamples = { values: {}, bodies: {} };

/**
 * IDs and feature names of one of the reader's projects, for the examples. With an empty ID, examples use shell
 * variables.
 */
function useOwnExamples(projectId: string): OwnExamples {
  const enabled = projectId !== "";
  const project = useQuery({ ...queries.project(projectId), enabled });
  const models = useQuery({ ...queries.models(projectId), enabled });
  if (!enabled) return none;
  const features = models.data?.find(({ isCurrent }) => isCurrent)?.inputFeatures;
  const checkpointId = project.data?.defaultCheckpointId;
  return {
    values: { projectId, ...(checkpointId && { checkpointId }) },
    bodies: { ...(features && { predict: exampleOf(requestedFeatures(features)) }) },
  };
}

function OwnProjectSelect({ value, onChange }: { value: string; onChange(projectId: string): void }) {
  const projects = useQuery(queries.projects());
  const id = useId();
  if (!projects.data || projects.data.length === 0) return null;
  return (
    <div>
      <label htmlFor={id} className="text-xs text-ink-faint">
        Examples for
      </label>
      <Select
        id={id}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        className="mt-1 text-[13px]"
        options={projects.data.map(({ id, name }) => [id, name])}
      >
        <option value="">any project</option>
      </Select>
    </div>
  );
}
