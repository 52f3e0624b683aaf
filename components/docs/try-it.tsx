"use client";

import { ChevronRight } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { classNames } from "#components/ui/class-names.ts";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { Input, Select, Textarea } from "#components/ui/input.tsx";
import { buildRequest, type Draft, missingParameters } from "./build-request.ts";
import type { ExampleValues } from "./curl.ts";
import { type Answer, readAnswer } from "./read-answer.ts";
import { type ReferenceOperation, sentAs } from "./reference.ts";

type Props = {
  operation: ReferenceOperation;
  values: ExampleValues;
  body: unknown;
  apiKey: string;
  onApiKey(key: string): void;
};

/** Form that sends a real request for the operation and shows the response. */
export function TryIt({ operation, values, body, apiKey, onApiKey }: Props) {
  const id = useId();
  const { auth, parameters, success } = operation;
  const [entered, setEntered] = useState<Record<string, string>>({});
  const [text, setText] = useState<string | null>(null);
  const [file, setFile] = useState<File | null>(null);
  const [accept, setAccept] = useState(success.mediaTypes[0] ?? "application/json");
  const [answer, setAnswer] = useState<Answer | Error | null>(null);
  const [busy, setBusy] = useState(false);

  const draft: Draft = {
    key: auth === "none" ? "" : apiKey,
    parameters: { ...values, ...entered },
    body: text ?? JSON.stringify(body, null, 2),
    file,
    accept,
  };
  const missing = missingParameters(operation, draft);

  const send = async (event: FormEvent) => {
    event.preventDefault();
    const request = requestOf(operation, draft);
    if (request instanceof Error) return setAnswer(request);
    setBusy(true);
    const failed = () => new Error("The service did not respond. Check the connection and try again.");
    setAnswer(await readAnswer(request).catch(failed));
    setBusy(false);
  };

  return (
    <form
      onSubmit={send}
      className="space-y-3 rounded-md border bg-surface p-3"
      aria-label={`Try ${operation.id}`}
    >
      {auth === "key" && (
        <Labelled id={`${id}-key`} label="X-API-Key" hint="leave empty to use your session">
          <Input
            id={`${id}-key`}
            type="password"
            autoComplete="off"
            spellCheck={false}
            placeholder="mps_…"
            value={apiKey}
            onChange={(event) => onApiKey(event.target.value)}
          />
        </Labelled>
      )}
      {auth === "session" && <p className="text-xs text-ink-faint">Sent with your session: sign in first.</p>}
      {parameters.map(({ name, place, required, example }) => (
        <Labelled key={name} id={`${id}-${name}`} label={name} hint={required ? `${place}, required` : place}>
          <Input
            id={`${id}-${name}`}
            required={required}
            spellCheck={false}
            placeholder={example}
            value={draft.parameters[name] ?? ""}
            onChange={(event) => setEntered({ ...entered, [name]: event.target.value })}
            className="font-mono !text-xs"
          />
        </Labelled>
      ))}
      {operation.body && sentAs(operation.body) === "application/json" && (
        <Labelled id={`${id}-body`} label="Body" hint="application/json">
          <Textarea
            id={`${id}-body`}
            rows={Math.min(16, draft.body.split("\n").length + 1)}
            spellCheck={false}
            value={draft.body}
            onChange={(event) => setText(event.target.value)}
            className="font-mono !text-xs"
          />
        </Labelled>
      )}
      {operation.body && sentAs(operation.body) !== "application/json" && (
        <Labelled id={`${id}-file`} label="File" hint={sentAs(operation.body)}>
          <Input
            id={`${id}-file`}
            type="file"
            required
            onChange={(event) => setFile(event.target.files?.[0] ?? null)}
            className="py-1.5 !text-xs"
          />
        </Labelled>
      )}
      {success.mediaTypes.length > 1 && (
        <Labelled id={`${id}-accept`} label="Accept" hint="header">
          <Select
            id={`${id}-accept`}
            value={accept}
            onChange={(event) => setAccept(event.target.value)}
            options={success.mediaTypes.map((type) => [type, type])}
          />
        </Labelled>
      )}
      <div className="flex flex-wrap items-center gap-3">
        <Button
          type="submit"
          size="sm"
          look={operation.method === "DELETE" ? "danger" : "primary"}
          busy={busy}
        >
          Send {operation.method}
        </Button>
        <p className="text-xs text-ink-faint">
          {missing.length > 0
            ? `Fill in ${missing.join(" and ")}.`
            : changes(operation) && "This request changes real data."}
        </p>
      </div>
      {answer instanceof Error && (
        <p role="alert" className="text-[13px] text-bad">
          {answer.message}
        </p>
      )}
      {answer && !(answer instanceof Error) && <AnswerView answer={answer} />}
    </form>
  );
}

/** Returns the request of a draft, or the reason why it cannot be sent. */
function requestOf(operation: ReferenceOperation, draft: Draft): ReturnType<typeof buildRequest> | Error {
  try {
    return buildRequest(operation, draft);
  } catch (error) {
    if (error instanceof RangeError) return error;
    return new Error("A header contains a character that is not allowed. Check the API key.");
  }
}

const changes = ({ method }: ReferenceOperation) => method !== "GET";

function Labelled(props: { id: string; label: string; hint: string; children: React.ReactNode }) {
  return (
    <div>
      <label htmlFor={props.id} className="mb-1 flex items-baseline gap-2 text-xs">
        <span className="font-mono font-medium">{props.label}</span>
        <span className="text-ink-faint">{props.hint}</span>
      </label>
      {props.children}
    </div>
  );
}

function AnswerView({ answer: { status, durationMs, headers, text } }: { answer: Answer }) {
  return (
    <div className="space-y-2">
      <p className="text-[13px]" role="status">
        <span className={classNames("font-mono font-semibold", status < 400 ? "text-good" : "text-bad")}>
          {status}
        </span>{" "}
        <span className="text-ink-faint">in {Math.round(durationMs)} ms</span>
      </p>
      <details className="group text-xs">
        <summary className="flex list-none items-center gap-1.5 rounded-sm text-ink-faint">
          <ChevronRight className="size-3.5 transition-transform group-open:rotate-90" />
          {headers.length} headers
        </summary>
        <dl className="mt-1 space-y-1 border-l pl-3">
          {headers.map(([name, value]) => (
            <div key={name} className="[overflow-wrap:anywhere]">
              <dt className="inline font-mono font-medium">{name}: </dt>
              <dd className="inline font-mono text-ink-soft">{value}</dd>
            </div>
          ))}
        </dl>
      </details>
      {text !== "" && <CodeBlock label="Response body" code={text} scrolls />}
    </div>
  );
}
