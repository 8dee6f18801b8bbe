import {
  useEffect,
  useRef,
  useState,
  type ComponentProps,
  type ReactNode,
  type RefObject,
  type SubmitEvent,
} from 'react'
import { refusalsOf, type ShownRefusal } from '#contract/problem.ts'
import { ActionButton } from '#app/ui/buttons/action-button.tsx'
import { focusOn } from '#app/ui/forms/fields.tsx'
import { showToast } from '#app/ui/overlays/toast.ts'
import { ApiError, newAttemptKey } from './call.ts'
import { FailureNote } from './failure-note.tsx'
import { showFailure } from './failure-toast.ts'
import type { ActionName } from './actions-table.ts'

/** The message shown at each invalid field. */
export type FieldErrors<Field extends string> = { [Name in Field]?: string | undefined }

export type Checks<Field extends string> = { [Name in Field]?: (() => unknown) | undefined }

type Options<Value, Field extends string, Answer> = {
  /** The value of the form when it is submitted. */
  read: (form: HTMLFormElement) => Value
  /**
   * Checks by the field that shows the refusal. All of them run, so that all errors show at once.
   */
  check: (value: Value) => Checks<Field>
  /**
   * Sends a value that passed the checks. The same content has the same key until it succeeds, so
   * that a press after a lost answer does nothing twice. Returns no promise if the step sends
   * nothing.
   */
  send: (value: Value, idempotencyKey: string) => Promise<Answer> | void
  onDone?: (answer: Answer, value: Value) => void
  /** The request that `send` makes, if it may outlive the form. */
  request?: { isPending: boolean; error: unknown }
  /** The action whose messages describe a failure. */
  action?: ActionName
  /** Shows a failure instead of the action's messages. */
  fail?: (error: unknown) => void
  /** Shows a toast even if a field shows the failure too, as the specification requires. */
  alwaysToasts?: boolean
  /** The field that shows a failure; by default the field in the answer. */
  fieldOf?: (error: ApiError) => Field | undefined
  /** Whether the value is shown for review, and sent only when confirmed. */
  isReviewed?: boolean
}

export type FormState<Value, Field extends string> = {
  errors: FieldErrors<Field>
  /** Name and error of a field. */
  field: (name: Field) => { name: Field; error: string | undefined }
  /** Removes the errors of fields that changed without an input event. */
  edited: (...names: Field[]) => void
  isPending: boolean
  error: unknown
  action: ActionName | undefined
  /** The value under review. */
  reviewed: Value | undefined
  hasReturned: boolean
  confirm: () => void
  back: () => void
  submit: (form: HTMLFormElement) => void
  input: (target: EventTarget) => void
  /** Number of refusals; the form moves the focus at each. */
  refusals: number
  element: RefObject<HTMLFormElement | null>
}

/** The state of every form of the product: its errors, its request, its idempotency keys. */
export function useForm<Value, Field extends string, Answer = void>(
  options: Options<Value, Field, Answer>,
): FormState<Value, Field> {
  const { read, check, request, action, isReviewed = false } = options
  const element = useRef<HTMLFormElement>(null)
  const { errors, refusals, refuse, edited } = useErrors<Field>()
  const [reviewed, setReviewed] = useState<{ value: Value } | 'returned'>()
  const isTyping = useRef(false)
  const deliver = useDelivery(options, (wrong) => {
    refuse(wrong, !isTyping.current)
    setReviewed((before) => before && 'returned')
  })
  return {
    errors,
    refusals,
    element,
    action,
    isPending: request?.isPending ?? false,
    error: request?.error,
    field: (name) => ({ name, error: errors[name] }),
    edited,
    reviewed: typeof reviewed === 'object' ? reviewed.value : undefined,
    hasReturned: reviewed === 'returned',
    back: () => setReviewed('returned'),
    confirm: () => void (typeof reviewed === 'object' && deliver(reviewed.value)),
    input: (target) => {
      isTyping.current = true
      if (target instanceof HTMLInputElement) edited(target.name as Field)
    },
    submit: (form) => {
      isTyping.current = false
      const value = read(form)
      const wrong = wrongOf(check(value))
      refuse(wrong, true)
      if (Object.keys(wrong).length > 0) return
      if (isReviewed) setReviewed({ value })
      else void deliver(value)
    },
  }
}

function useErrors<Field extends string>() {
  const [state, setState] = useState<{ errors: FieldErrors<Field>; refusals: number }>({
    errors: {},
    refusals: 0,
  })
  const refuse = (errors: FieldErrors<Field>, movesFocus: boolean) =>
    setState(({ refusals }) => ({ errors, refusals: refusals + (movesFocus ? 1 : 0) }))
  const edited = (...names: Field[]) =>
    setState((before) => {
      // Returns the same state if nothing changes, so that React does not render: most letters are
      // typed into fields without an error.
      if (!names.some((name) => name in before.errors)) return before
      const left = Object.entries(before.errors).filter(([name]) => !names.includes(name as Field))
      return { ...before, errors: Object.fromEntries(left) as FieldErrors<Field> }
    })
  return { ...state, refuse, edited }
}

/**
 * Sends a value, and shows the result even if the form has been closed. A second press with the
 * same content meanwhile sends nothing.
 */
function useDelivery<Value, Field extends string, Answer>(
  { check, send, onDone, action, fail, alwaysToasts, fieldOf }: Options<Value, Field, Answer>,
  onRefused: (wrong: FieldErrors<Field>) => void,
): (value: Value) => Promise<void> {
  const [keys] = useState(openAttemptKeys)
  const underWay = useRef<string>(undefined)
  const refused = (error: unknown, value: Value) => {
    if (error instanceof ApiError) {
      const field = fieldOf ? fieldOf(error) : (error.field as Field | undefined)
      if (field !== undefined && field in check(value)) {
        onRefused({ [field]: error.message } as FieldErrors<Field>)
        if (!alwaysToasts) return
      }
    }
    if (fail) fail(error)
    else if (action) showFailure(error, action)
  }
  return async (value) => {
    const content = JSON.stringify([value])
    if (underWay.current === content) return
    underWay.current = content
    try {
      const answer = send(value, keys.keyFor(content))
      if (answer === undefined) return
      const done = await answer
      keys.forget()
      onDone?.(done, value)
    } catch (error) {
      refused(error, value)
    } finally {
      underWay.current = undefined
    }
  }
}

/** One idempotency key for each content. Once one succeeds, all keys are dropped. */
function openAttemptKeys() {
  const keys = new Map<string, string>()
  return {
    keyFor: (content: string): string => {
      const key = keys.get(content) ?? newAttemptKey()
      keys.set(content, key)
      return key
    },
    forget: () => keys.clear(),
  }
}

/** All refusals by field. The first one that has a heading is also shown as a toast. */
function wrongOf<Field extends string>(checks: Checks<Field>): FieldErrors<Field> {
  const refusals = Object.entries<ShownRefusal>(refusalsOf(checks) as Record<Field, ShownRefusal>)
  for (const [, { title, description }] of refusals)
    if (title !== undefined) {
      showToast({ title, description, tone: 'destructive' })
      break
    }
  return Object.fromEntries(
    refusals.map(([field, { description }]) => [field, description]),
  ) as FieldErrors<Field>
}

/** Places where a form shows an error: a field, or one of several choices. */
const WRONG = '[aria-invalid=true], [data-wrong] :is(input, button):enabled'

/**
 * Moves the focus to the first invalid field, unless the user is already typing again. Threat: if
 * the browser submitted the form with GET, a password would get into the page's address.
 */
export function Form<Value, Field extends string>({
  form,
  ...rest
}: Omit<ComponentProps<'form'>, 'noValidate' | 'method' | 'onSubmit' | 'onInput' | 'form'> & {
  form: FormState<Value, Field>
}) {
  const { element, refusals } = form
  useEffect(() => {
    const wrong = refusals > 0 && element.current?.querySelector<HTMLElement>(WRONG)
    if (wrong) focusOn(wrong)
  }, [element, refusals])
  return (
    <form
      {...rest}
      ref={element}
      method="post"
      noValidate
      onSubmit={(event: SubmitEvent<HTMLFormElement>) => {
        event.preventDefault()
        form.submit(event.currentTarget)
      }}
      onInput={({ target }) => form.input(target)}
    />
  )
}

/** The button of a form, and below it the facts that complete the toast of a failure. */
export function Submit<Value, Field extends string>({
  form: { isPending, error, action },
  ...rest
}: Omit<ComponentProps<typeof ActionButton>, 'form'> & {
  form: FormState<Value, Field>
  children: ReactNode
}) {
  return (
    <>
      <ActionButton {...rest} type="submit" pending={isPending} />
      {action && <FailureNote error={error} action={action} />}
    </>
  )
}
