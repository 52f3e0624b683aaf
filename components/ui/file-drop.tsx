"use client";

import { FileUp } from "lucide-react";
import { useId, useState } from "react";
import { classNames } from "./class-names.ts";
import { formatBytes } from "./format.ts";

/** Accepts a file by drop or through the platform's file dialog. */
export function FileDrop({
  label,
  hint,
  accept,
  file,
  onFile,
}: {
  label: string;
  hint: string;
  accept: string;
  file: File | null;
  onFile(file: File): void;
}) {
  const id = useId();
  const [over, setOver] = useState(false);
  return (
    <label
      htmlFor={id}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        const dropped = event.dataTransfer.files[0];
        if (dropped) onFile(dropped);
      }}
      className={classNames(
        "flex flex-col items-center rounded-md border border-dashed px-4 py-6 text-center transition-colors focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent",
        over ? "border-accent bg-accent-wash" : "border-line-strong hover:bg-sunken",
      )}
    >
      <input
        id={id}
        type="file"
        accept={accept}
        aria-label={label}
        className="sr-only"
        onChange={(event) => {
          const chosen = event.target.files?.[0];
          if (chosen) onFile(chosen);
          event.target.value = "";
        }}
      />
      <FileUp className="mb-2 size-5 text-ink-faint" aria-hidden="true" />
      {file ? (
        <span className="max-w-full text-[13px] [overflow-wrap:anywhere]">
          <span className="font-medium">{file.name}</span>{" "}
          <span className="text-ink-faint">· {formatBytes(file.size)} · choose another</span>
        </span>
      ) : (
        <>
          <span className="text-[13px] font-medium">{label}</span>
          <span className="mt-0.5 max-w-full text-xs text-ink-faint [overflow-wrap:anywhere]">{hint}</span>
        </>
      )}
    </label>
  );
}
