/** Focuses the first invalid field of a form, or the button that corrects the form, after it is marked as invalid. */
export function focusInvalid(form: HTMLElement | null): void {
  form?.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid]')?.focus();
}
