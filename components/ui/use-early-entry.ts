import { type Ref, type RefCallback, useEffect, useRef } from "react";
import { useIsInteractive } from "./use-origin.ts";

type Entry = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/**
 * Keeps a value that was entered before the page's scripts ran. The server renders the page, so on a slow machine a user
 * types into a field before React and the form library know of it. Both then take the value that they have, and the form
 * library writes its own into the field. Therefore this enters the value again, as if the user did now.
 *
 * @param ref receives the element, too
 */
export function useEarlyEntry<Element extends Entry>(ref: Ref<Element> | undefined): RefCallback<Element> {
  /** Whether the server rendered the element. Elements that React creates in the browser begin with the value it sets. */
  const isFromServer = useRef(!useIsInteractive());
  const element = useRef<Element | null>(null);
  const entered = useRef<string | null>(null);
  useEffect(() => {
    if (element.current && entered.current !== null) enter(element.current, entered.current);
    entered.current = null;
  }, []);
  return (attached) => {
    // The first time: later, the value is one that React and the form library know.
    if (attached && element.current === null && isFromServer.current) {
      if (attached.value !== renderedValue(attached)) entered.current = attached.value;
    }
    element.current = attached ?? element.current;
    if (typeof ref === "function") return ref(attached);
    if (ref) ref.current = attached;
  };
}

/** Returns the value that the server rendered. */
function renderedValue(element: Entry): string {
  if (!("options" in element)) return element.defaultValue;
  const options = [...element.options];
  return (options.find(({ defaultSelected }) => defaultSelected) ?? options[0])?.value ?? "";
}

function enter(element: Entry, value: string): void {
  // React ignores events of an element whose value it knows: that is the value set through the element itself.
  element.value = renderedValue(element);
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(element), "value")!.set!.call(element, value);
  element.dispatchEvent(new Event("options" in element ? "change" : "input", { bubbles: true }));
}
