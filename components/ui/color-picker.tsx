"use client";

import { RadioGroup } from "radix-ui";
import { useId, useState } from "react";
import { Input } from "./input.tsx";
import { palette } from "./palette.tsx";

const hex = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;

/** Swatches that the colour-blind can tell apart (arrow keys move between them), and a field for any other colour. */
export function ColorPicker({
  value,
  onChange,
  label,
}: {
  value: string;
  onChange(color: string): void;
  label: string;
}) {
  const id = useId();
  const [text, setText] = useState(value);
  const type = (next: string) => {
    setText(next);
    if (hex.test(next)) onChange(next.toLowerCase());
  };
  const pick = (color: string) => {
    setText(color);
    onChange(color);
  };
  return (
    <div className="flex flex-wrap items-center gap-3">
      <RadioGroup.Root
        aria-label={label}
        className="flex gap-1.5"
        value={palette.includes(value) ? value : ""}
        onValueChange={pick}
      >
        {palette.map((color) => (
          <RadioGroup.Item
            key={color}
            value={color}
            aria-label={color}
            className="size-6 rounded-full ring-offset-2 ring-offset-raised data-[state=checked]:ring-2 data-[state=checked]:ring-ink"
            style={{ background: color }}
          />
        ))}
      </RadioGroup.Root>
      <label htmlFor={id} className="sr-only">
        {label} as hex
      </label>
      <Input
        id={id}
        value={text}
        onChange={(event) => type(event.target.value)}
        aria-invalid={!hex.test(text)}
        spellCheck={false}
        maxLength={7}
        className="!w-24 font-mono text-xs"
      />
    </div>
  );
}
