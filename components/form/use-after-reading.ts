import { useEffect, useEffectEvent, useState } from "react";

/**
 * Sends a form whose file the browser may still be reading: at once, or when the reading ends. A disabled button would
 * lose a click, because the file is also read again after a choice such as the target.
 *
 * @returns `isWaiting`: the form is sent when the reading ends, unless the user chooses another file
 */
export function useAfterReading(
  file: File | null,
  isReading: boolean,
  send: () => void,
): { isWaiting: boolean; start(): void } {
  const [waitingFor, setWaitingFor] = useState<File | null>(null);
  const isWaiting = waitingFor !== null && waitingFor === file;
  const sendLatest = useEffectEvent(send);
  useEffect(() => {
    if (!isWaiting || isReading) return;
    setWaitingFor(null);
    // After the effect, because the form shows at once what is missing, which React does not do within effects.
    queueMicrotask(() => sendLatest());
  }, [isWaiting, isReading]);
  return { isWaiting, start: () => (isReading ? setWaitingFor(file) : send()) };
}
