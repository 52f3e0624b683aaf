"use client";

import { useMemo, useSyncExternalStore } from "react";
import type { Paint } from "./draw-lines.ts";

/**
 * Returns a function that resolves colours such as `var(--ink)` and `#3498db` in the current theme. A theme change
 * returns a new function. Print always uses the light theme.
 */
export function usePaint(): Paint {
  const theme = useSyncExternalStore(
    onThemeChange,
    () => `${document.documentElement.className} ${matchMedia("print").matches ? "paper" : "screen"}`,
    () => "",
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the names stand for is the theme's
  return useMemo(() => paintOfNow(), [theme]);
}

/**
 * Observes the class on the root element, because colours depend on it. Other theme state may change before the class
 * does.
 */
function onThemeChange(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributeFilter: ["class"] });
  const paper = matchMedia("print");
  paper.addEventListener("change", changed);
  return () => {
    observer.disconnect();
    paper.removeEventListener("change", changed);
  };
}

export function paintOfNow(): Paint {
  const known = new Map<string, ReturnType<Paint>>();
  return (color) => {
    const paint = known.get(color) ?? look(color);
    known.set(color, paint);
    return paint;
  };
}

function look(color: string): ReturnType<Paint> {
  const name = /^var\((--[\w-]+)\)$/.exec(color)?.[1];
  const css = name === undefined ? color : getComputedStyle(document.documentElement).getPropertyValue(name);
  const canvas = document.createElement("canvas");
  canvas.width = 1;
  canvas.height = 1;
  const context = canvas.getContext("2d", { willReadFrequently: true })!;
  context.fillStyle = css.trim();
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data;
  return { css: `rgb(${red} ${green} ${blue})`, rgb: [red, green, blue] };
}
