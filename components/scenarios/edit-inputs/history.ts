/** A value with its former and undone states. */
export type History<T> = {
  past: readonly T[];
  present: T;
  future: readonly T[];
  /** Control that made the latest change and still has the pointer or the focus; null if none has. */
  control: string | null;
};

export const begin = <T>(present: T): History<T> => ({ past: [], present, future: [], control: null });

/** Changes the value. Successive changes by one control are undone together. The same value again is no change. */
export function change<T>(history: History<T>, next: T, control: string): History<T> {
  const { past, present, control: last } = history;
  if (next === present) return history;
  return { past: last === control ? past : [...past, present], present: next, future: [], control };
}

/** Returns the value before the successive changes by a control. */
export const beforeControl = <T>({ past, present, control: last }: History<T>, control: string): T =>
  last === control ? past.at(-1)! : present;

/** Ends the successive changes of a control: it was released or left. */
export const settle = <T>(history: History<T>): History<T> =>
  history.control === null ? history : { ...history, control: null };

export function undo<T>({ past, present, future }: History<T>): History<T> {
  if (past.length === 0) return { past, present, future, control: null };
  return { past: past.slice(0, -1), present: past.at(-1)!, future: [present, ...future], control: null };
}

export function redo<T>({ past, present, future }: History<T>): History<T> {
  const [next, ...later] = future;
  if (next === undefined) return { past, present, future, control: null };
  return { past: [...past, present], present: next, future: later, control: null };
}
