"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { queries } from "#components/api/queries.ts";
import type { LiveOptions, LivePreview } from "#lib/engine/what-if/live-model";
import type { Recipe } from "./edits.ts";
import type { FromLiveWorker, LiveQuestion, ToLiveWorker } from "./live-worker.ts";

/**
 * Predicts edits in a worker of the page while they change. Returns the preview of the newest predicted recipe; null before
 * the first one, and where only the service can predict.
 *
 * @param scenarioId edited scenario; null without one
 */
export function useLivePreview(
  projectId: string,
  scenarioId: string | null,
  recipe: Recipe,
  options: LiveOptions,
): { recipe: Recipe; preview: LivePreview } | null {
  const isEditing = scenarioId !== null;
  const sent = useQuery({ ...queries.liveModel(projectId, scenarioId ?? ""), enabled: isEditing });
  const model = isEditing ? sent.data?.model : null;
  const [live, setLive] = useState<{ recipe: Recipe; preview: LivePreview } | null>(null);
  const worker = useRef<LiveWorker | null>(null);
  useEffect(() => {
    if (!model) return;
    const started = new LiveWorker(model, setLive);
    worker.current = started;
    return () => {
      started.end();
      worker.current = null;
      setLive(null);
    };
  }, [model]);
  const asked = JSON.stringify(options);
  useEffect(() => {
    if (model) worker.current?.ask(recipe, JSON.parse(asked) as LiveOptions);
  }, [model, recipe, asked]);
  return live;
}

type Asked = LiveQuestion & { adjustments: Recipe };

/** A worker that predicts one recipe at a time. Of those that arrive meanwhile, it predicts only the last. */
class LiveWorker {
  readonly #worker = new Worker(new URL("./live-worker.ts", import.meta.url), { type: "module" });
  #busy: Asked | "opening" | null = "opening";
  #next: Asked | null = null;

  constructor(model: string, onPreview: (live: { recipe: Recipe; preview: LivePreview }) => void) {
    this.#worker.onmessage = ({ data }: MessageEvent<FromLiveWorker>) => {
      const done = this.#busy;
      this.#busy = null;
      if ("isReady" in data && !data.isReady) return this.end();
      if ("preview" in data && data.preview && done && done !== "opening")
        onPreview({ recipe: done.adjustments, preview: data.preview });
      if (this.#next) this.ask(this.#next.adjustments, this.#next.options);
    };
    this.#worker.onerror = () => this.end();
    this.#post({ model });
  }

  ask(adjustments: Recipe, options: LiveOptions): void {
    const asked = { adjustments, options };
    if (this.#busy) {
      this.#next = asked;
      return;
    }
    this.#busy = asked;
    this.#next = null;
    this.#post(asked);
  }

  end(): void {
    this.#busy = "opening";
    this.#worker.terminate();
  }

  #post(message: ToLiveWorker): void {
    this.#worker.postMessage(message);
  }
}
