import {
  type ComponentProps,
  createContext,
  type Ref,
  type RefCallback,
  use,
  useEffect,
  useId,
  useRef,
} from "react";
import { classNames } from "./class-names.ts";
import { useIsInteractive } from "./use-origin.ts";

/** Properties that a form's field gives to the control inside: its label refers to the ID. */
export const FieldControl = createContext<{
  id?: string;
  "aria-invalid"?: boolean;
  "aria-describedby"?: string | undefined;
}>({});

const field =
  "w-full rounded-md border border-line-strong bg-surface px-3 text-ink shadow-soft placeholder:text-ink-faint aria-invalid:border-bad disabled:bg-sunken disabled:text-ink-faint";

type InputProps = ComponentProps<"input"> & {
  /** Values to choose from while typing. Others are possible, too. */
  suggestions?: readonly string[] | undefined;
};

export function Input({ className, suggestions, ref, ...props }: InputProps) {
  const listId = useId();
  const input = {
    ...use(FieldControl),
    ...props,
    ref: useEarlyEntry(ref),
    className: classNames(field, "h-9", className),
  };
  if (!suggestions) return <input {...input} />;
  return (
    <>
      <input {...input} list={listId} />
      <datalist id={listId}>
        {suggestions.map((value) => (
          <option key={value} value={value} />
        ))}
      </datalist>
    </>
  );
}

export function Textarea({ className, ref, ...props }: ComponentProps<"textarea">) {
  return (
    <textarea
      rows={3}
      {...use(FieldControl)}
      {...props}
      ref={useEarlyEntry(ref)}
      className={classNames(field, "py-2", className)}
    />
  );
}

type SelectProps = ComponentProps<"select"> & {
  /** Follow the options given as children. */
  options?: readonly (readonly [value: string | number, name: string])[] | undefined;
};

/** Uses the native select, which works with every keyboard, screen reader and phone. */
export function Select({ className, children, options, ref, ...props }: SelectProps) {
  return (
    <select
      {...use(FieldControl)}
      {...props}
      ref={useEarlyEntry(ref)}
      className={classNames(field, "h-9 pr-2", className)}
    >
      {children}
      {options?.map(([value, name]) => (
        <option key={value} value={value}>
          {name}
        </option>
      ))}
    </select>
  );
}

type Entry = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/**
 * Keeps a value that was entered before the page's scripts ran. The server renders the page, so on a slow machine a user
 * types into a field before React and the form library know of it. Both then take the value that they have, and the form
 * library writes its own into the field. Therefore this enters the value again, as if the user did now.
 *
 * @param ref receives the element, too
 */
function useEarlyEntry<Element extends Entry>(ref: Ref<Element> | undefined): RefCallback<Element> {
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
