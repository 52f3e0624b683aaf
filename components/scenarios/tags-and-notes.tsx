import { Card, CardHeader } from "#components/ui/card.tsx";
import { Link } from "#components/ui/link.tsx";
import type { Scenario } from "#lib/contract/scenarios";

/** Shows notes and tags. Each tag leads to the scenarios that have it. */
export function TagsAndNotes({ scenario: { projectId, tags, notes } }: { scenario: Scenario }) {
  if (tags.length === 0 && !notes) return null;
  return (
    <Card>
      <CardHeader title="Tags and notes" />
      <div className="space-y-3 px-5 pb-5 text-[13px]">
        {tags.length > 0 && (
          <ul aria-label="Tags" className="flex flex-wrap gap-x-3 gap-y-1">
            {tags.map((tag) => (
              <li key={tag} className="min-w-0">
                <Link
                  dir="auto"
                  className="rounded-sm text-accent underline [overflow-wrap:anywhere]"
                  href={`/projects/${projectId}/scenarios?tag=${encodeURIComponent(tag)}`}
                >
                  {tag}
                </Link>
              </li>
            ))}
          </ul>
        )}
        {notes && (
          <p dir="auto" className="whitespace-pre-wrap text-ink-soft [overflow-wrap:anywhere]">
            {notes}
          </p>
        )}
      </div>
    </Card>
  );
}
