import { classNames } from "#components/ui/class-names";
import { guideSections } from "./guide.tsx";
import { MethodBadge } from "./method-badge.tsx";
import type { Reference } from "./reference.tsx";

const entry =
  "flex items-center gap-2 rounded-md px-2 py-1 text-[13px] text-ink-soft hover:bg-sunken hover:text-ink";

export function ReferenceNav({
  sections,
  withGuide,
}: {
  sections: Reference["sections"];
  /** Not while one searches: then the list holds what was found. */
  withGuide: boolean;
}) {
  return (
    <nav aria-label="Reference" className="space-y-5">
      {withGuide && (
        <ul>
          {guideSections.map(([id, title]) => (
            <li key={id}>
              <a href={`#${id}`} className={entry}>
                {title}
              </a>
            </li>
          ))}
        </ul>
      )}
      {sections.map(({ tag, operations }) => (
        <div key={tag}>
          <p className="px-2 pb-1 text-xs font-medium text-ink-faint">{tag}</p>
          <ul>
            {operations.map(({ id, method, summary }) => (
              <li key={id}>
                <a href={`#${id}`} className={classNames(entry, "items-start")} title={summary}>
                  <span className="mt-0.5">
                    <MethodBadge method={method} small />
                  </span>
                  <span className="min-w-0">{summary}</span>
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
      {withGuide && (
        <a href="#objects" className={entry}>
          Objects
        </a>
      )}
    </nav>
  );
}
