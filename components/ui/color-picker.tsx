"use client";

import { RadioGroup } from "radix-ui";
import { useId, useState } from "react";
import { faintIn } from "./contrast.tsx";
import { Input } from "./input.tsx";
import { colorName, palette } from "./palette.tsx";

const hex = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;

/**
 * Swatches that the colour-blind can tell apart (arrow keys move between them), and a field for any other colour, which
 * says where it would be hard to see.
 */
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
  const typed = hex.test(text);
  const faint = typed ? faintIn(text) : [];
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
      <RadioGroup.Root
        aria-label={label}
        className="flex flex-wrap gap-1.5"
        value={palette.includes(value) ? value : ""}
        onValueChange={pick}
      >
        {palette.map((color) => (
          <RadioGroup.Item
            key={color}
            value={color}
            aria-label={colorName(color)}
            title={colorName(color)}
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
        aria-invalid={!typed}
        aria-describedby={`${id}-note`}
        spellCheck={false}
        maxLength={7}
        className="!w-24 font-mono text-xs"
      />
      <p id={`${id}-note`} aria-live="polite" className="basis-full text-xs text-ink-faint empty:hidden">
        {!typed && <span className="text-bad">Six digits after a #, such as #3498db.</span>}
        {faint.length > 0 && (
          <span className="text-warn">
            Hard to see in the {faint.join(" and the ")} theme: its contrast is under 3 to 1.
          </span>
        )}
      </p>
    </div>
  );
}
