import { useEffect, useRef } from 'react'
import { msg, say, t } from '#words/words.ts'
import { LAST_STEP } from './use-step.ts'

const HEADINGS = [msg('How much risk?'), msg('Which coins?'), msg('Name and amount')]

/**
 * Says which step this is. A step that replaces another takes the focus, since whatever had it is
 * gone.
 */
export function StepHeading({ step }: { step: number }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const shown = useRef(step)
  useEffect(() => {
    if (shown.current === step) return
    shown.current = step
    // Creating a bot ends with the first step, and moves the focus elsewhere.
    const { activeElement } = document
    if (
      activeElement !== document.body &&
      !heading.current?.closest('form')?.contains(activeElement)
    )
      return
    heading.current?.focus({ preventScroll: true })
    heading.current?.scrollIntoView({ block: 'nearest' })
  }, [step])
  return (
    <div>
      <div aria-hidden="true" className="mb-3 grid grid-flow-col gap-1.5">
        {HEADINGS.map((text, index) => (
          <span
            key={text}
            className={
              'h-1 rounded-full forced-color-adjust-none ' +
              (index < step ? 'bg-accent' : 'bg-hairline')
            }
          />
        ))}
      </div>
      <p className="text-14 text-ink2">{t('Step {step} of {last}', { step, last: LAST_STEP })}</p>
      <h2 ref={heading} tabIndex={-1} className="scroll-mt-24 text-20 font-semibold outline-none">
        {say(HEADINGS[step - 1] ?? '')}
      </h2>
    </div>
  )
}
