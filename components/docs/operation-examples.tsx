"use client";

import { useState } from "react";
import { Button } from "#components/ui/button.tsx";
import { CodeBlock } from "#components/ui/code-block.tsx";
import { Select } from "#components/ui/input.tsx";
import { type ExampleValues, exampleCurl } from "./curl.ts";
import type { ReferenceExample, ReferenceOperation } from "./reference.ts";
import { TryIt } from "./try-it.tsx";

export type Caller = {
  origin: string;
  /** IDs of one of the reader's projects. */
  values: ExampleValues;
  apiKey: string;
  onApiKey(key: string): void;
};

/** Shows example requests and responses of an operation, and a form to send a request. */
export function OperationExamples({
  operation,
  caller,
  ownBody,
}: {
  operation: ReferenceOperation;
  caller: Caller;
  /** Replaces the first example. */
  ownBody?: unknown;
}) {
  const { origin, values, apiKey, onApiKey } = caller;
  const { success } = operation;
  const requests = operation.body?.examples ?? [];
  const [request, setRequest] = useState(0);
  const [answer, setAnswer] = useState(0);
  const [trying, setTrying] = useState(false);
  const body = request === 0 && ownBody !== undefined ? ownBody : requests[request]?.value;
  return (
    <div className="space-y-3 xl:sticky xl:top-18">
      <Choice label="Example request" examples={requests} value={request} onChange={setRequest} />
      <CodeBlock label="Request" code={exampleCurl(operation, origin, values, body)} />
      <Button size="sm" aria-expanded={trying} onClick={() => setTrying(!trying)}>
        {trying ? "Close the form" : "Try it"}
      </Button>
      {trying && (
        // Another example resets the body.
        <TryIt key={request} {...{ operation, values, body, apiKey, onApiKey }} />
      )}
      <Choice label="Example response" examples={success.examples} value={answer} onChange={setAnswer} />
      {success.examples[answer] && (
        <CodeBlock
          scrolls
          label={`Response ${success.status}`}
          code={textOf(success.examples[answer].value)}
        />
      )}
    </div>
  );
}

const textOf = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value, null, 2));

/** Renders nothing if there is only one example. */
function Choice(props: {
  label: string;
  examples: readonly ReferenceExample[];
  value: number;
  onChange(index: number): void;
}) {
  if (props.examples.length < 2) return null;
  return (
    <Select
      aria-label={props.label}
      value={props.value}
      onChange={(event) => props.onChange(Number(event.target.value))}
      className="h-8! text-[13px]"
      options={props.examples.map(({ summary }, index) => [index, summary])}
    />
  );
}
