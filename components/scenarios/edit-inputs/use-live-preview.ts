"use client";

import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { queries } from "#components/api/queries.ts";
import type { LiveOptions, LivePreview } from "#lib/engine/what-if/live-model";
import type { Recipe } from "./edits.ts";
import type { FromLiveWorker, LiveRequest, ToLiveWorker } from "./live-worker.ts";

/**
 * Predicts edits in a worker of the page while they change. Returns the latest preview; null before the first one, after
 * an error of the worker, and where only the service can predict.
 *
 * @param scenarioId edited scenario; null without one
 */
export function useLivePreview(
  projectId: string,
  scenarioId: string | null,
  recipe: Recipe,
  options: LiveOptions,
): LivePreview | null {
  const isEditing = scenarioId !== null;
  const sent = useQuery({ ...queries.liveModel(projectId, scenarioId ?? ""), enabled: isEditing });
  const model = isEditing ? sent.data?.model : null;
  const [live, setLive] = useState<LivePreview | null>(null);
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
  const optionsJson = JSON.stringify(options);
  useEffect(() => {
    if (model)
      worker.current?.request({ adjustments: recipe, options: JSON.parse(optionsJson) as LiveOptions });
  }, [model, recipe, optionsJson]);
  return live;
}

/** A worker that predicts one recipe at a time. Of those that arrive meanwhile, it predicts only the last. */
export class LiveWorker {
  readonly #worker = new Worker(new URL("./live-worker.ts", import.meta.url), { type: "module" });
  /** Opening the model, predicting, or ended. */
  #isBusy = true;
  #next: LiveRequest | null = null;

  /** @param onPreview takes each preview; null after an error, and where only the service can predict */
  constructor(model: string, onPreview: (preview: LivePreview | null) => void) {
    this.#worker.onmessage = ({ data }: MessageEvent<FromLiveWorker>) => {
      this.#isBusy = false;
      if ("isReady" in data && !data.isReady) return this.end();
      if ("preview" in data) onPreview(data.preview);
      if (this.#next) this.request(this.#next);
    };
    this.#worker.onerror = () => {
      this.end();
      onPreview(null);
    };
    this.#post({ model });
  }

  request(request: LiveRequest): void {
    this.#next = this.#isBusy ? request : null;
    if (this.#isBusy) return;
    this.#isBusy = true;
    this.#post(request);
  }

  end(): void {
    this.#isBusy = true;
    this.#worker.terminate();
  }

  #post(message: ToLiveWorker): void {
    this.#worker.postMessage(message);
  }
}
