import { ChevronRight } from "lucide-react";
import { Badge } from "#components/ui/badge";
import { CodeBlock } from "#components/ui/code-block";
import { type ExampleValues, exampleCurl } from "./curl.tsx";
import { FieldTable, TypeText } from "./field-table.tsx";
import { MethodBadge } from "./method-badge.tsx";
import type { ReferenceOperation } from "./prepare-reference.tsx";
import { Inline, Prose } from "./prose.tsx";

const whoMay = { key: null, session: "session only", none: "public" };

function Heading({ children }: { children: React.ReactNode }) {
  return <h4 className="mt-5 mb-2 text-xs font-medium tracking-wide text-ink-faint uppercase">{children}</h4>;
}

export function Operation({
  operation,
  objects,
  origin,
  values,
  body,
}: {
  operation: ReferenceOperation;
  objects: ReadonlySet<string>;
  origin: string;
  values: ExampleValues;
  /** In place of the general example. */
  body?: unknown;
}) {
  const { parameters, success, failures } = operation;
  const fields = operation.body?.fields ?? [];
  return (
    <article id={operation.id} className="scroll-mt-20 border-t py-8 first-of-type:border-t-0">
      <h3 className="text-base font-semibold tracking-tight">{operation.summary}</h3>
      <p className="mt-1.5 flex flex-wrap items-center gap-2">
        <MethodBadge method={operation.method} />
        <code className="font-mono text-[13px] [overflow-wrap:anywhere]">{operation.path}</code>
        {whoMay[operation.auth] && <Badge tone="warn">{whoMay[operation.auth]}</Badge>}
      </p>
      <div className="mt-4 grid gap-x-8 gap-y-6 xl:grid-cols-[minmax(0,1fr)_minmax(0,26rem)]">
        <div className="min-w-0">
          <div className="max-w-prose space-y-2 text-ink-soft">
            <Prose text={operation.description} />
          </div>
          {parameters.length > 0 && (
            <>
              <Heading>Parameters</Heading>
              <FieldTable
                fields={parameters}
                objects={objects}
                places={parameters.map(({ place }) => place)}
              />
            </>
          )}
          {operation.body && (
            <>
              <Heading>Body: {operation.body.mediaTypes.join(", ")}</Heading>
              {fields.length > 0 && <FieldTable fields={fields} objects={objects} />}
            </>
          )}
          <Heading>Answer</Heading>
          <p className="text-[13px]">
            <span className="mr-2 font-mono text-xs font-semibold text-good">{success.status}</span>
            {success.description}
            {success.data ? (
              <>
                ; <code className="font-mono text-xs">data</code> is{" "}
                <TypeText type={success.data} objects={objects} />
              </>
            ) : (
              <>: {success.mediaTypes.join(", ")}</>
            )}
          </p>
          <details className="group mt-2 text-[13px]">
            <summary className="flex list-none items-center gap-1.5 rounded-sm text-ink-faint">
              <ChevronRight className="size-3.5 transition-transform group-open:rotate-90" />
              Failures: {failures.map(({ status }) => status).join(", ")}
            </summary>
            <dl className="mt-2 space-y-2 border-l pl-4">
              {failures.map(({ status, description }) => (
                <div key={status} className="grid grid-cols-[2.5rem_1fr] gap-2">
                  <dt className="font-mono text-xs font-semibold text-bad">{status}</dt>
                  <dd className="space-y-0.5 text-xs text-ink-soft">
                    {description.split("\n\n").map((line) => (
                      <p key={line}>
                        <Inline text={line} />
                      </p>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </details>
        </div>
        <div className="min-w-0">
          <CodeBlock label="Example" code={exampleCurl(operation, origin, values, body)} />
        </div>
      </div>
    </article>
  );
}
