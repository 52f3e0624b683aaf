"use client";

import { Search } from "lucide-react";
import { Dialog } from "radix-ui";
import { type KeyboardEvent, useEffect, useId, useState } from "react";
import { classNames } from "#components/ui/class-names.ts";
import { useFocusReturn } from "#components/ui/use-focus-return.ts";
import { type Command, matchCommands } from "./match-commands.ts";
import { useCommands } from "./use-commands.ts";

/** Command palette: a combobox with an always-open listbox. Type to search, use arrows to move, Enter to run. */
export default function CommandsDialog({
  projectId,
  onClose,
}: {
  projectId: string | null;
  onClose(): void;
}) {
  const id = useId();
  const focusReturn = useFocusReturn();
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const matches = matchCommands(useCommands(projectId, text), text);
  const active = matches[Math.min(at, matches.length - 1)];
  const optionId = (command: Command) => `${id}-${matches.indexOf(command)}`;
  const activeId = active && optionId(active);
  useEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: "nearest" });
  }, [activeId]);
  const run = (command: Command) => {
    onClose();
    command.run();
  };
  const moves: Record<string, number> = {
    ArrowDown: at + 1 >= matches.length ? 0 : at + 1,
    ArrowUp: at === 0 ? matches.length - 1 : at - 1,
    PageDown: Math.min(matches.length - 1, at + 8),
    PageUp: Math.max(0, at - 8),
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const next = moves[event.key];
    if (event.nativeEvent.isComposing || (next === undefined && event.key !== "Enter")) return;
    event.preventDefault();
    if (next !== undefined) setAt(Math.max(0, next));
    else if (active) run(active);
  };
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-black/40 dark:bg-black/60" />
        <Dialog.Content
          aria-describedby={undefined}
          {...focusReturn}
          className="fixed top-[12vh] left-1/2 z-50 flex max-h-[70vh] w-[calc(100vw-2rem)] max-w-xl -translate-x-1/2 flex-col overflow-hidden rounded-lg border bg-raised shadow-lift"
        >
          <Dialog.Title className="sr-only">Commands</Dialog.Title>
          <div className="flex items-center gap-3 border-b px-4">
            <Search className="size-4 shrink-0 text-ink-faint" aria-hidden="true" />
            <input
              role="combobox"
              aria-label="Search pages, scenarios and actions"
              aria-expanded="true"
              aria-controls={`${id}-list`}
              aria-activedescendant={activeId}
              aria-autocomplete="list"
              autoComplete="off"
              spellCheck={false}
              placeholder="Search for a page, scenario or action"
              className="h-12 min-w-0 flex-1 bg-transparent text-[15px] outline-none placeholder:text-ink-faint"
              value={text}
              onChange={(event) => {
                setText(event.target.value);
                setAt(0);
              }}
              onKeyDown={onKeyDown}
            />
            <kbd className="hidden rounded-sm border px-1.5 text-xs text-ink-faint sm:block">Esc</kbd>
          </div>
          <div id={`${id}-list`} role="listbox" aria-label="Results" className="min-h-0 overflow-y-auto p-2">
            {Object.entries(Object.groupBy(matches, ({ group }) => group)).map(([group, commands]) => (
              // biome-ignore lint/a11y/useSemanticElements: options of a listbox are grouped by role, as ARIA has it
              <div key={group} role="group" aria-label={group}>
                <p aria-hidden="true" className="px-2.5 pt-2 pb-1 text-xs text-ink-faint">
                  {group}
                </p>
                {commands.map((command) => (
                  // biome-ignore lint/a11y/useKeyWithClickEvents: keys are the combobox's, where the focus stays
                  <div
                    key={command.id}
                    id={optionId(command)}
                    role="option"
                    tabIndex={-1}
                    aria-selected={command === active}
                    onPointerMove={() => setAt(matches.indexOf(command))}
                    onClick={() => run(command)}
                    className={classNames(
                      "flex items-baseline justify-between gap-4 rounded-md px-2.5 py-2 text-[13px]",
                      command === active && "bg-accent-wash text-accent",
                    )}
                  >
                    <span className="truncate font-medium" title={command.title}>
                      {command.title}
                    </span>
                    {command.note && (
                      <span className="max-w-1/2 truncate text-xs text-ink-faint" title={command.note}>
                        {command.note}
                      </span>
                    )}
                  </div>
                ))}
              </div>
            ))}
          </div>
          <p
            role="status"
            className={matches.length > 0 ? "sr-only" : "px-4 pb-5 text-[13px] text-ink-faint"}
          >
            {matches.length > 0 ? `${matches.length} found` : "No results. Type fewer letters."}
          </p>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
