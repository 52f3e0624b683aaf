import { CodeBlock } from "#components/ui/code-block.tsx";
import { useOrigin } from "#components/ui/use-origin.ts";
import type { CreatedApiKey } from "#lib/contract/api-keys";
import { checkpointsCurl } from "./key-state.ts";

/** The key itself, this once, and a line that tries it. */
export function CreatedKey({ projectId, created }: { projectId: string; created: CreatedApiKey }) {
  const origin = useOrigin();
  return (
    <div className="space-y-4 text-left">
      <p role="status" className="rounded-md bg-warn-wash px-3 py-2 text-[13px] text-warn">
        Copy it now. It is stored only as a hash and cannot be shown again.
      </p>
      <CodeBlock label={`The key “${created.name}”`} code={created.key} copy="Copy key" />
      <CodeBlock
        label="Try it: list the project's checkpoints"
        code={checkpointsCurl(origin, projectId, created.key)}
        copy="Copy command"
      />
    </div>
  );
}
