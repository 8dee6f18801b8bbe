import { useEffect, useRef, useState, type ComponentProps, type SubmitEvent } from 'react'

/**
 * Where a form shows that something is wrong: a field, one of several choices, or a list that leads
 * to fields of another step.
 */
const WRONG = '[aria-invalid=true], [data-wrong] :is(input, button):enabled, [data-problems] button'

/**
 * Every form of the product. After it is submitted, the focus moves to the first field that its own
 * checks or the server's answer mark as wrong, unless the user is typing again by then. Threat: a
 * form that the browser itself submitted with GET would put a password into the page's address.
 */
export function Form({
  onSubmit,
  onInput,
  ...rest
}: Omit<ComponentProps<'form'>, 'noValidate' | 'method' | 'onSubmit'> & {
  onSubmit: (event: SubmitEvent<HTMLFormElement>) => void
}) {
  const submitted = useRef<HTMLFormElement>(null)
  // Renders after each submit, even if the errors are those of the one before.
  const [, count] = useState(0)
  useEffect(() => {
    const wrong = submitted.current?.querySelector<HTMLElement>(WRONG)
    if (!wrong) return
    submitted.current = null
    focusOn(wrong)
  })
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    submitted.current = event.currentTarget
    count((before) => before + 1)
    onSubmit(event)
  }
  return (
    <form
      {...rest}
      method="post"
      noValidate
      onSubmit={submit}
      onInput={(event) => {
        submitted.current = null
        onInput?.(event)
      }}
    />
  )
}

export function focusOn(target: HTMLElement): void {
  target.focus({ preventScroll: true })
  // Clear of the bars at the edges of the screen.
  target.scrollIntoView({ block: 'center' })
}
