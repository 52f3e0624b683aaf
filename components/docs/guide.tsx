import { Fragment, type ReactNode } from "react";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { DataTable, Table, Td, Th } from "#components/ui/table.tsx";
import { channelOf } from "#lib/contract/channel";
import { errorCodes } from "#lib/contract/error-codes";
import { limits } from "#lib/contract/limits";
import type { ExampleValues } from "./curl.ts";
import { Inline, Prose } from "./prose.tsx";
import type { GlossaryTerm } from "./read-glossary.ts";
import type { Reference } from "./reference.ts";

/** Sections of the guide, by anchor. */
export const guideSections = [
  ["introduction", "Introduction"],
  ["authentication", "Authentication"],
  ["errors", "Errors"],
  ["limits", "Rate limits"],
  ["idempotency", "Idempotency"],
  ["jobs-and-events", "Jobs and events"],
  ["agents", "Agents"],
  ["glossary", "Glossary"],
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
  reference: Pick<Reference, "events" | "failure" | "glossary">;
}) {
  const projectId = values.projectId ?? "$PROJECT_ID";
  const base = `${origin}/api/v1`;
  return (
    <>
      <Section id="introduction">
        <Prose text="A project holds a trained model. A **checkpoint** is a saved version of the model. A **scenario** runs an input through a checkpoint; you can compare the predictions of scenarios. A **job** is work in the background. The glossary below defines all terms." />
        <Prose text='A successful response is `{ "success": true, "data": … }`. Bodies are JSON in camelCase, times are ISO 8601 in UTC, and IDs are GUIDs. Lists return an array. If there are more items, the header `Link` gives the next page with `rel="next"`. Changes within `/api/v1` are additive: ignore unknown fields.' />
        <p>
          The machine-readable document is{" "}
          <a href="/api/v1/openapi.json" download="openapi.json" className="rounded-sm text-accent underline">
            openapi.json
          </a>{" "}
          (OpenAPI 3.1). Generators create clients from it. JavaScript and TypeScript programs install a typed
          client from the service:
        </p>
        <CodeBlock label="Install the client" code={`npm install ${origin}/forkcast-client.tgz`} />
        <Prose text="It waits for jobs, uploads files, and repeats requests after broken connections without creating anything twice. `forkcast.api` has a method for each operation below, and `items` reads a list to its end:" />
        <CodeBlock
          label="Create a scenario, and list all"
          code={`import { env } from "node:process";
import { Forkcast } from "forkcast-client";

const projectId = "${projectId}";
const forkcast = new Forkcast({ url: "${origin}", key: env.API_KEY });
const scenario = await forkcast.createScenario(projectId, { title: "From a program" });
console.log(scenario.title, scenario.summary.sum);
for await (const { id, title } of forkcast.api.listScenarios.items({ path: { projectId } })) console.log(id, title);`}
        />
      </Section>
      <Section id="authentication">
        <Prose text="Send a project's API key in the header `X-API-Key`. Admins create keys in the project under **Settings**, **API Keys**, **Create API Key**. The key is shown once. A key grants full access to its project, except managing keys and members and deleting the project. Resources of other projects return the same response as resources that do not exist." />
        <CodeBlock
          label="List the project's checkpoints"
          code={`curl -H "X-API-Key: $API_KEY" "${base}/projects/${projectId}/checkpoints"`}
        />
        <Prose text="Operations marked **session only** require a member's session cookie. Write requests with a cookie require an `Origin` header with the scheme and host of the service." />
        <CodeBlock
          label="Sign in from a program"
          code={`curl -c cookies.txt -X POST "${origin}/api/auth/sign-in/email" \\\n  -H "Content-Type: application/json" -H "Origin: ${origin}" \\\n  -d '{"email":"ada@example.com","password":"…"}'`}
        />
      </Section>
      <Section id="errors">
        <Prose text='An error response is `{ "success": false, "error": { code, message, details?, requestId } }`. The table lists the codes. `details` names each invalid field, row and column; rows are counted from 1. The header `X-Request-Id` also carries the request ID. Include the ID when you report a problem.' />
        <CodeBlock label="Error response" code={JSON.stringify(reference.failure, null, 2)} />
        <ErrorTable />
      </Section>
      <Section id="limits">
        <Prose text="Each key has a limit of 600 requests per minute with bursts of 100, unless the service is configured otherwise. Every response carries `RateLimit` and `RateLimit-Policy`. A 429 response carries `Retry-After`. A retry after that time succeeds." />
        <Prose
          text={`Request bodies hold up to ${limits.jsonBytes / 1e6} MB. \`/predict\` accepts ${limits.predictBytes / 1e6} MB and ${limits.predictRows.toLocaleString("en")} rows. \`fileData\` accepts 64 MiB of decoded CSV. Upload larger files first and send their \`uploadId\`. A project has at most ${limits.checkpointsPerProject} checkpoints.`}
        />
      </Section>
      <Section id="idempotency">
        <Prose text="POST requests that create a resource accept an `Idempotency-Key` of at most 255 characters. For 24 hours, the same request with the same key runs once and returns the same response, so you can retry an interrupted call. Another body with the same key returns 422. A retry while the first request is running returns 409." />
        <Prose text="Responses with a single resource carry an `ETag`. A change with `If-Match` returns 412 if the resource has changed since." />
      </Section>
      <Section id="jobs-and-events">
        <Prose text="Long operations return 202 with a `jobId`. Poll the job until its status is `Completed`, `Failed` or `Cancelled`. These states are final." />
        <CodeBlock label="Read a job" code={`curl -H "X-API-Key: $API_KEY" "${base}/jobs/$JOB_ID"`} />
        <Prose
          text={`You can also subscribe to events with any client of the Pusher Channels protocol. \`GET /api/v1/realtime\` returns the connection settings. The channel is \`${channelOf(projectId)}\`; \`POST /api/v1/realtime/auth\` authorises it. Events carry IDs, not data, and arrive at least once. A duplicate has the same \`eventId\`:`}
        />
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
      <Section id="agents">
        <Prose text="Agents use the service by the Model Context Protocol at `/api/mcp`: streamable HTTP without sessions, with an API key as bearer. The tools read, compare, predict and create scenarios of the key's project. Two of them change data: `create_scenario` and `add_actuals`. Give an agent a key with the scopes `read` and `predict` if it must change nothing. Each message and each operation that a tool calls count towards the limit of the key." />
        <CodeBlock
          label="List the tools"
          code={`curl "${origin}/api/mcp" -H "Authorization: Bearer $API_KEY" \\\n  -H "Content-Type: application/json" -H "Accept: application/json, text/event-stream" \\\n  -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'`}
        />
      </Section>
      <Section id="glossary">
        <p>The last column gives the name in the API where it differs.</p>
        <Glossary terms={reference.glossary} />
      </Section>
    </>
  );
}

function Glossary({ terms }: { terms: readonly GlossaryTerm[] }) {
  return (
    <div className="rounded-md border">
      <DataTable
        rows={terms}
        keyOf={({ term }) => term}
        columns={[
          ["Term", ({ term }) => term, "align-top font-medium text-ink"],
          ["Meaning", ({ meaning }) => <Inline text={meaning} />, "align-top"],
          ["In the API", ({ onWire }) => <Inline text={onWire} />, "align-top"],
        ]}
      />
    </div>
  );
}

function ErrorTable() {
  return (
    <div className="rounded-md border">
      <Table>
        <thead>
          <tr>
            <Th>Code and status</Th>
            <Th>Meaning and remedy</Th>
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

/** Allows line breaks after the underscores of a long name. */
function Breakable({ code }: { code: string }) {
  return code.split(/(?<=_)/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text are their places
    <Fragment key={index}>
      {part}
      <wbr />
    </Fragment>
  ));
}
