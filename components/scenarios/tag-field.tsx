"use client";

import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useState } from "react";
import { queries } from "#components/api/queries.ts";
import { Field } from "#components/form/field.tsx";
import { Input } from "#components/ui/input.tsx";
import { limits } from "#lib/contract/limits";

/** Edits tags: Enter or leaving the field adds the text as a tag. Suggests the project's tags. */
export function TagField({
  projectId,
  value,
  error,
  onChange,
}: {
  projectId: string;
  value: readonly string[];
  error: string | undefined;
  onChange(tags: string[]): void;
}) {
  const [text, setText] = useState("");
  const known = useQuery(queries.scenarioFilters(projectId)).data?.tags ?? [];
  const add = () => {
    const tag = text.trim();
    setText("");
    if (tag !== "" && !value.includes(tag)) onChange([...value, tag]);
  };
  return (
    <div>
      <Field
        label="Tags"
        optional
        error={error}
        help={`Press Enter after each tag. At most ${limits.tagsPerScenario}.`}
      >
        <Input
          suggestions={known.map(({ tag }) => tag).filter((tag) => !value.includes(tag))}
          maxLength={limits.tagMax}
          value={text}
          disabled={value.length >= limits.tagsPerScenario}
          onChange={(event) => setText(event.target.value)}
          onBlur={add}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || event.nativeEvent.isComposing || text.trim() === "") return;
            event.preventDefault();
            add();
          }}
        />
      </Field>
      {/* Reserves a line. Otherwise the tag added when the field is left would move the button that is being clicked. */}
      <div className="mt-2 min-h-7">
        {value.length > 0 && (
          <ul aria-label="Tags" className="flex flex-wrap gap-1.5">
            {value.map((tag) => (
              <li
                key={tag}
                className="flex max-w-full items-center gap-1 rounded-full bg-sunken py-0.5 pr-1 pl-2.5 text-xs"
              >
                <span dir="auto" className="truncate" title={tag}>
                  {tag}
                </span>
                <button
                  type="button"
                  className="rounded-full p-1.5 text-ink-soft hover:text-ink"
                  aria-label={`Remove tag ${tag}`}
                  onClick={() => onChange(value.filter((one) => one !== tag))}
                >
                  <X className="size-3" />
                </button>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}
