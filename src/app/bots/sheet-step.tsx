import { useEffect, useRef, type ReactNode } from 'react'
import { t } from '#words/words.ts'
import { ConfirmButtons } from '#app/api/confirm-buttons.tsx'
import { Form, type FormState } from '#app/api/form.tsx'
import { ActionButton } from '#app/ui/buttons/action-button.tsx'

/**
 * A sheet's input, its review, and the button that sends it. `review`: undefined while its figures
 * are unknown; then nothing can be confirmed.
 */
export function ReviewedForm<Value, Field extends string>({
  form,
  name,
  children,
  review,
  confirm,
  pending,
}: {
  form: FormState<Value, Field>
  name: string
  children: ReactNode
  review: ReactNode
  confirm: string
  pending: string
}) {
  if (form.reviewed !== undefined && review !== undefined)
    return (
      <SheetStep key="review" name={t('Review')} arrives unfinished>
        {review}
        <ConfirmButtons
          action={form.action}
          request={form}
          pendingLabel={pending}
          onConfirm={form.confirm}
          onBack={form.back}
        >
          {confirm}
        </ConfirmButtons>
      </SheetStep>
    )
  return (
    <SheetStep key="input" name={name} arrives={form.hasReturned}>
      <Form form={form} className="flex flex-col gap-5">
        {children}
        <ActionButton type="submit">{t('Review')}</ActionButton>
      </Form>
    </SheetStep>
  )
}

/** A step that replaces another takes the focus, unless one of its fields has the focus. */
export function SheetStep({
  name,
  arrives,
  unfinished = false,
  children,
}: {
  name: string
  arrives: boolean
  unfinished?: boolean
  children: ReactNode
}) {
  const step = useRef<HTMLElement>(null)
  useEffect(() => {
    if (arrives && !step.current?.contains(document.activeElement)) step.current?.focus()
  }, [arrives])
  return (
    <section
      ref={step}
      tabIndex={-1}
      aria-label={name}
      data-unfinished={unfinished || undefined}
      className="flex flex-col gap-5 outline-none"
    >
      {children}
    </section>
  )
}
