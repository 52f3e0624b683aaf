import { Fragment, type ReactNode } from "react";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { Table, Td, Th } from "#components/ui/table.tsx";
import { channelOf } from "#lib/contract/channel";
import { errorCodes } from "#lib/contract/error-codes";
import { limits } from "#lib/contract/limits";
import type { ExampleValues } from "./curl.ts";
import { Inline } from "./prose.tsx";
import type { Reference } from "./reference.ts";

/** What holds for every operation, by its anchor. */
export const guideSections = [
  ["introduction", "Introduction"],
  ["authentication", "Authentication"],
  ["errors", "Errors"],
  ["limits", "Rate limits"],
  ["idempotency", "Idempotency"],
  ["jobs-and-events", "Jobs and events"],
] as const;

type SectionId = (typeof guideSections)[number][0];
const titles = new Map<SectionId, string>(guideSections);

function Section({ id, children }: { id: SectionId; children: ReactNode }) {
  return (
    <section
      id={id}
      className="scroll-mt-20 space-y-3 border-t py-8 first-of-type:border-t-0 first-of-type:pt-0"
    >
      <h2 className="text-xl font-semibold tracking-tight">{titles.get(id)}</h2>
      <div className="max-w-3xl space-y-3 text-ink-soft">{children}</div>
    </section>
  );
}

export function Guide({
  origin,
  values,
  reference,
}: {
  origin: string;
  values: ExampleValues;
  reference: Pick<Reference, "events" | "failure">;
}) {
  const projectId = values.projectId ?? "$PROJECT_ID";
  const base = `${origin}/api/v1`;
  return (
    <>
      <Section id="introduction">
        <p>
          <Inline text="Projects hold a trained model. A **checkpoint** saves it as it is; a **scenario** runs an input through a checkpoint, so that predictions can be compared; a **job** is work in the background." />
        </p>
        <p>
          <Inline text='A success is `{ "success": true, "data": … }`. Bodies are JSON in camelCase; times are ISO 8601 in UTC; ids are GUIDs. Lists answer an array; where there is more, the header `Link` names the next page with `rel="next"`. Within `/api/v1` changes only add: ignore fields that you do not know.' />
        </p>
        <p>
          The machine-readable document is{" "}
          <a href="/api/v1/openapi.json" download="openapi.json" className="rounded-sm text-accent underline">
            openapi.json
          </a>{" "}
          (OpenAPI 3.1): generators make a typed client of it.
        </p>
      </Section>
      <Section id="authentication">
        <p>
          <Inline text="Send the header `X-API-Key` with a project's key. An admin creates keys in the project: **Settings**, **API Keys**, **Create API Key**; the key is shown once. It may do everything in its project but manage keys and members and delete the project. What belongs to another project is answered exactly as if it did not exist." />
        </p>
        <CodeBlock
          label="List the project's checkpoints"
          code={`curl -H "X-API-Key: $API_KEY" "${base}/projects/${projectId}/checkpoints"`}
        />
        <p>
          <Inline text="Operations marked **session only** take a member's session cookie. Changes with a cookie need an `Origin` header with the service's own scheme and host." />
        </p>
        <CodeBlock
          label="Sign in from a program"
          code={`curl -c cookies.txt -X POST "${origin}/api/auth/sign-in/email" \\\n  -H "Content-Type: application/json" -H "Origin: ${origin}" \\\n  -d '{"email":"ada@example.com","password":"…"}'`}
        />
      </Section>
      <Section id="errors">
        <p>
          <Inline text='A failure is `{ "success": false, "error": { code, message, details?, requestId } }`. The code is one of these; `details` names every field, row and column that is at fault, rows counted from 1. The request id is also in the header `X-Request-Id`: report it with a problem.' />
        </p>
        <CodeBlock label="A failure" code={JSON.stringify(reference.failure, null, 2)} />
        <ErrorTable />
      </Section>
      <Section id="limits">
        <p>
          <Inline text="Calls with a key are limited: 600 a minute with bursts of 100, unless the service is configured otherwise. Every answer carries `RateLimit` and `RateLimit-Policy`. A 429 carries `Retry-After`: waiting that long succeeds." />
        </p>
        <p>
          <Inline
            text={`Bodies hold up to ${limits.jsonBytes / 1e6} MB; \`/predict\` takes ${limits.predictBytes / 1e6} MB and ${limits.predictRows.toLocaleString("en")} rows; \`fileData\` 64 MiB of decoded CSV. Upload larger files first and send their \`uploadId\`. A project has at most ${limits.checkpointsPerProject} checkpoints.`}
          />
        </p>
      </Section>
      <Section id="idempotency">
        <p>
          <Inline text="A POST that creates takes an `Idempotency-Key` of at most 255 characters. The same request with the same key is answered the same for 24 hours, and done once: a call that broke off can be sent again. Another body with the same key is a 422; while the first is still running, a 409." />
        </p>
        <p>
          <Inline text="Single resources carry an `ETag`. A change with `If-Match` is refused with 412 if the resource has changed in between." />
        </p>
      </Section>
      <Section id="jobs-and-events">
        <p>
          <Inline text="Long work answers 202 with a `jobId`. Read the job until its status is `Completed`, `Failed` or `Cancelled`; these never change any more." />
        </p>
        <CodeBlock label="Read a job" code={`curl -H "X-API-Key: $API_KEY" "${base}/jobs/$JOB_ID"`} />
        <p>
          <Inline
            text={`Or listen: \`GET /api/v1/realtime\` tells where, with any client of the Pusher Channels protocol, on the channel \`${channelOf(projectId)}\`. \`POST /api/v1/realtime/auth\` authorises it. Events carry ids, not data, and arrive at least once; a duplicate has the same \`eventId\`:`}
          />
        </p>
        <dl className="divide-y border-y text-[13px]">
          {reference.events.map(({ name, meaning }) => (
            <div key={name} className="gap-4 py-2 sm:grid sm:grid-cols-[12rem_1fr]">
              <dt>
                <Inline text={`\`${name}\``} />
              </dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
      </Section>
    </>
  );
}

function ErrorTable() {
  return (
    <div className="rounded-md border">
      <Table>
        <thead>
          <tr>
            <Th>Code and status</Th>
            <Th>Meaning, and what to do</Th>
          </tr>
        </thead>
        <tbody className="align-top text-[13px] [&>tr:last-child>td]:border-b-0">
          {Object.entries(errorCodes).map(([code, [status, meaning, remedy]]) => (
            <tr key={code} id={`error-${code}`} className="scroll-mt-20 target:bg-accent-wash">
              <Td className="font-mono text-xs">
                <Breakable code={code} />
                <span className="figures block text-ink-faint">{status}</span>
              </Td>
              <Td>
                <Inline text={meaning} />{" "}
                <span className="text-ink-faint">
                  <Inline text={remedy} />
                </span>
              </Td>
            </tr>
          ))}
        </tbody>
      </Table>
    </div>
  );
}

/** A long name may break behind its underscores. */
function Breakable({ code }: { code: string }) {
  return code.split(/(?<=_)/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text are their places
    <Fragment key={index}>
      {part}
      <wbr />
    </Fragment>
  ));
}
