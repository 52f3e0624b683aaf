"use client";

import { useMemo, useSyncExternalStore } from "react";
import type { Paint } from "./draw-lines.ts";

/**
 * Colours as the theme of now has them: `var(--ink)` as well as `#3498db`. Another theme gives another function, and so
 * does paper, which is light in every theme.
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

/** The class is what the colours hang on; what is told of the theme elsewhere may be told before it is set. */
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
    const found = known.get(color) ?? look(color);
    known.set(color, found);
    return found;
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
