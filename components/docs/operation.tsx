import { ChevronRight, Link2 } from "lucide-react";
import type { ReactNode } from "react";
import { Badge } from "#components/ui/badge.tsx";
import { FieldList, TypeText } from "./field-list.tsx";
import { MethodBadge } from "./method-badge.tsx";
import { type Caller, OperationExamples } from "./operation-examples.tsx";
import { Inline, Prose } from "./prose.tsx";
import type { ReferenceOperation } from "./reference.ts";

const allowedCallers = { key: null, session: "session only", none: "public" };

function Heading({ children }: { children: ReactNode }) {
  return <h4 className="mt-6 mb-2 text-xs font-medium tracking-wide text-ink-faint uppercase">{children}</h4>;
}

export function Operation({
  operation,
  objects,
  caller,
  ownBody,
}: {
  operation: ReferenceOperation;
  objects: ReadonlySet<string>;
  caller: Caller;
  /** Replaces the first example of a body. */
  ownBody?: unknown;
}) {
  const { parameters, success, failures } = operation;
  const fields = operation.body?.fields ?? [];
  return (
    <article id={operation.id} className="scroll-mt-14 border-t py-8 first-of-type:border-t-0">
      <h3 className="group text-base font-semibold tracking-tight">
        {operation.summary}
        <a
          href={`#${operation.id}`}
          aria-label={`Link to: ${operation.summary}`}
          className="ml-2 inline-block rounded-sm align-[-2px] text-ink-faint opacity-0 group-hover:opacity-100 focus-visible:opacity-100"
        >
          <Link2 aria-hidden="true" className="size-4" />
        </a>
      </h3>
      <p className="mt-1.5 flex flex-wrap items-center gap-2">
        <MethodBadge method={operation.method} />
        <code className="font-mono text-[13px] [overflow-wrap:anywhere]">{operation.path}</code>
        {allowedCallers[operation.auth] && <Badge tone="warn">{allowedCallers[operation.auth]}</Badge>}
      </p>
      <div className="mt-4 grid gap-x-10 gap-y-6 xl:grid-cols-[minmax(0,1fr)_minmax(0,27rem)]">
        <div className="min-w-0">
          <div className="max-w-prose space-y-2 text-ink-soft">
            <Prose text={operation.description} />
          </div>
          {parameters.length > 0 && (
            <>
              <Heading>Parameters</Heading>
              <FieldList
                fields={parameters}
                objects={objects}
                places={parameters.map(({ place }) => place)}
              />
            </>
          )}
          {operation.body && (
            <>
              <Heading>Body: {operation.body.mediaTypes.join(", ")}</Heading>
              {fields.length > 0 && <FieldList fields={fields} objects={objects} />}
            </>
          )}
          <Heading>Response</Heading>
          <Success success={success} objects={objects} />
          <Failures failures={failures} />
        </div>
        <div className="min-w-0">
          <OperationExamples operation={operation} caller={caller} ownBody={ownBody} />
        </div>
      </div>
    </article>
  );
}

function Success({
  success: { status, description, data, mediaTypes, headers },
  objects,
}: {
  success: ReferenceOperation["success"];
  objects: ReadonlySet<string>;
}) {
  return (
    <div className="space-y-1 text-[13px]">
      <p>
        <span className="mr-2 font-mono text-xs font-semibold text-good">{status}</span>
        {description}
        {data ? (
          <>
            ; <code className="font-mono text-xs">data</code> is <TypeText type={data} objects={objects} />
          </>
        ) : (
          <>: {mediaTypes.join(", ")}</>
        )}
      </p>
      {headers.length > 0 && (
        <p className="text-xs text-ink-faint">
          Headers: <Inline text={headers.map((name) => `\`${name}\``).join(", ")} />
        </p>
      )}
    </div>
  );
}

function Failures({ failures }: { failures: ReferenceOperation["failures"] }) {
  return (
    <details className="group mt-2 text-[13px]">
      <summary className="flex list-none items-center gap-1.5 rounded-sm text-ink-faint">
        <ChevronRight className="size-3.5 transition-transform group-open:rotate-90" />
        Failures: {failures.map(({ status }) => status).join(", ")}
      </summary>
      <dl className="mt-2 space-y-2 border-l pl-4">
        {failures.map(({ status, codes }) => (
          <div key={status} className="grid grid-cols-[2.5rem_1fr] gap-2">
            <dt className="font-mono text-xs font-semibold text-bad">{status}</dt>
            <dd className="space-y-0.5 text-xs text-ink-soft">
              {codes.map(({ code, meaning }) => (
                <p key={code}>
                  {code !== "" && (
                    <a href={`#error-${code}`} className="mr-1.5 rounded-sm font-mono text-accent underline">
                      {code}
                    </a>
                  )}
                  <Inline text={meaning} />
                </p>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
