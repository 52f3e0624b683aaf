import { CodeBlock } from "#components/ui/code-block.tsx";
import { useOrigin } from "#components/ui/use-origin.ts";
import type { CreatedApiKey } from "#lib/contract/api-keys";
import { checkpointsCurl } from "./key-state.ts";

/** Shows the new key once, with an example command. */
export function CreatedKey({ projectId, created }: { projectId: string; created: CreatedApiKey }) {
  const origin = useOrigin();
  return (
    <div className="space-y-4 text-left">
      <p role="status" className="rounded-md bg-warn-wash px-3 py-2 text-[13px] text-warn">
        Copy it now. The service stores only a hash and cannot show the key again.
      </p>
      <CodeBlock label={`The key “${created.name}”`} code={created.key} copy="Copy key" />
      <CodeBlock
        label="Example: list the project's checkpoints"
        code={checkpointsCurl(origin, projectId, created.key)}
        copy="Copy command"
      />
    </div>
  );
}
