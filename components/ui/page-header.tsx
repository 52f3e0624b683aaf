import type { HeaderProps } from "./card.tsx";

export function PageHeader({ title, description, actions }: HeaderProps) {
  return (
    <div className="mb-6 flex flex-wrap items-start justify-between gap-4">
      <div className="min-w-0">
        <h1 className="text-xl font-semibold tracking-tight [overflow-wrap:anywhere]">{title}</h1>
        {description && (
          <div className="mt-1 max-w-2xl break-words text-balance text-ink-faint">{description}</div>
        )}
      </div>
      {actions && <div className="print:hidden flex min-w-0 max-w-full flex-wrap gap-2">{actions}</div>}
    </div>
  );
}
