"use client";

import { RadioGroup } from "radix-ui";
import { useId, useState } from "react";
import { faintIn } from "./contrast.ts";
import { Input } from "./input.tsx";
import { colorName, palette } from "./palette.ts";

/** The `#` is optional. */
const hex = /^#?((?:[0-9a-f]{3}){1,2})$/i;

/** Normalises `#rgb` or `#rrggbb` to lower case; null for an invalid colour. */
function readHex(text: string): string | null {
  const digits = hex.exec(text.trim())?.[1];
  return digits === undefined ? null : `#${digits.toLowerCase()}`;
}

const isSwatchBeside = (swatch: Element, other: Element | null) =>
  other !== null && swatch !== other && swatch.parentElement === other.parentElement;

/** Colour-blind-safe swatches with arrow-key navigation, and a field for other colours that warns of low contrast. */
export function ColorPicker({ value, onChange }: { value: string; onChange(color: string): void }) {
  const id = useId();
  const [text, setText] = useState(value);
  const type = (next: string) => {
    setText(next);
    const color = readHex(next);
    if (color !== null) onChange(color);
  };
  const pick = (color: string) => {
    setText(color);
    onChange(color);
  };
  const typed = readHex(text);
  const faint = typed === null ? [] : faintIn(typed);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
      <RadioGroup.Root
        aria-label="Colour"
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
            onFocus={(event) => {
              // The focus moves shortly after the arrow key, which may be released by then. The new focus is selected
              // in any case.
              if (isSwatchBeside(event.currentTarget, event.relatedTarget)) pick(color);
            }}
            className="size-6 rounded-full ring-offset-2 ring-offset-raised data-[state=checked]:ring-2 data-[state=checked]:ring-ink"
            style={{ background: color }}
          />
        ))}
      </RadioGroup.Root>
      <span className="relative">
        <span
          aria-hidden="true"
          className="absolute top-1/2 left-2.5 size-3 -translate-y-1/2 rounded-full"
          style={{ background: value }}
        />
        <Input
          aria-label="Colour as hex"
          value={text}
          onChange={(event) => type(event.target.value)}
          aria-invalid={typed === null}
          aria-describedby={`${id}-note`}
          spellCheck={false}
          maxLength={7}
          className="!w-24 !pr-1 !pl-7 font-mono text-xs"
        />
      </span>
      <p id={`${id}-note`} aria-live="polite" className="basis-full text-xs text-ink-faint empty:hidden">
        {typed === null && (
          <span className="text-bad">Invalid colour. Use six hex digits after a #, such as #3498db.</span>
        )}
        {faint.length > 0 && (
          <span className="text-warn">Low contrast in the {faint.join(" and the ")} theme: below 3:1.</span>
        )}
      </p>
    </div>
  );
}
