"use client";

import { useQuery } from "@tanstack/react-query";
import { queries } from "#components/api/queries.ts";
import type { AuditChange } from "#lib/contract/audit";
import { fieldText, valueText } from "./change-text.ts";

/** Number of changes in sight; further ones open on request. */
const inSight = 3;

/** Lists what an entry changed: "Title: As planned → Dearer". */
export function ChangeList({ changes }: { changes: readonly AuditChange[] }) {
  const rest = changes.slice(inSight);
  return (
    <>
      <Lines changes={changes.slice(0, inSight)} />
      {rest.length > 0 && (
        <details className="mt-0.5 text-xs">
          <summary className="w-fit cursor-pointer rounded-sm text-accent hover:underline">
            {rest.length} more
          </summary>
          <Lines changes={rest} />
        </details>
      )}
    </>
  );
}

function Lines({ changes }: { changes: readonly AuditChange[] }) {
  const projects = useQuery(queries.projects());
  const nameOf = (projectId: string) => projects.data?.find(({ id }) => id === projectId)?.name;
  return (
    <ul className="space-y-0.5 text-xs text-ink-soft">
      {changes.map((change) => {
        const [from, to] = [change.from, change.to].map((value) => valueText(change, value, nameOf));
        return (
          <li key={change.field} className="wrap-anywhere whitespace-pre-line">
            {fieldText(change.field)}
            {change.from === null && change.to === null ? (
              " changed"
            ) : (
              <>
                : <span className="text-ink-faint">{from}</span>
                <span aria-hidden="true"> → </span>
                <span className="sr-only"> to </span>
                <span className="text-ink">{to}</span>
              </>
            )}
          </li>
        );
      })}
    </ul>
  );
}
