import { type ComponentProps, type ReactNode, type SubmitEventHandler, useId } from "react";
import { FormError } from "#components/form/server-errors.tsx";
import { Button } from "#components/ui/button.tsx";
import { Dialog } from "#components/ui/dialog.tsx";

type FormDialogProps = Omit<ComponentProps<typeof Dialog>, "footer"> & {
  form: { formState: { isSubmitting: boolean; errors: { root?: { message?: string } } } };
  onSubmit: SubmitEventHandler<HTMLFormElement>;
  /** Text of the button that submits. */
  action: string;
  disabled?: boolean;
  /** Result of the request, shown only once. It replaces the form. */
  done?: ReactNode;
};

/** Dialog with a form: the error of the whole form, its fields, and buttons to cancel and to submit. */
export function FormDialog({ form, onSubmit, action, disabled, done, children, ...dialog }: FormDialogProps) {
  const id = useId();
  const { errors, isSubmitting } = form.formState;
  return (
    <Dialog
      {...dialog}
      holdsSecret={Boolean(done)}
      description={done ? undefined : dialog.description}
      footer={
        done ? (
          <Button look="primary" onClick={dialog.onClose}>
            Done
          </Button>
        ) : (
          <>
            <Button onClick={dialog.onClose}>Cancel</Button>
            <Button type="submit" form={id} look="primary" busy={isSubmitting} disabled={disabled}>
              {action}
            </Button>
          </>
        )
      }
    >
      {done ?? (
        <form id={id} onSubmit={onSubmit} noValidate className="space-y-4">
          <FormError message={errors.root?.message} />
          {children}
        </form>
      )}
    </Dialog>
  );
}
