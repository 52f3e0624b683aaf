import { CodeBlock } from "#components/ui/code-block.tsx";

/** Shows the secret of a webhook once. */
export function ShownSecret({ secret }: { secret: string }) {
  return (
    <div className="space-y-4 text-left">
      <p role="status" className="rounded-md bg-warn-wash px-3 py-2 text-[13px] text-warn">
        Copy it now. The service cannot show the secret again.
      </p>
      <CodeBlock label="Secret for a Standard Webhooks library" code={secret} copy="Copy secret" />
    </div>
  );
}
