import { useRef, type KeyboardEvent } from 'react'
import { t } from '#words/words.ts'
import { INPUT_STYLE } from '#app/ui/forms/field.tsx'
import { useKeyboardHeight } from '#app/ui/device/keyboard.ts'
import { isEnter } from '#app/ui/device/typing.ts'
import { Form } from '#app/ui/forms/form.tsx'
import { ArrowUp } from '#app/ui/frame/icons.ts'
import { measureBar } from '#app/ui/frame/measure-bar.ts'

/**
 * Sits above the tabs, or above the on-screen keyboard. Enter sends, Shift+Enter starts a new line,
 * and the input keeps the focus.
 */
export function QuestionForm({
  typed,
  onType,
  onSend,
  isPending,
}: {
  typed: string
  onType: (typed: string) => void
  onSend: (text: string) => void
  isPending: boolean
}) {
  const input = useRef<HTMLTextAreaElement>(null)
  const keyboardHeight = useKeyboardHeight()
  const submit = () => {
    onSend(typed)
    input.current?.focus()
  }
  const sendOnEnter = (event: KeyboardEvent<HTMLTextAreaElement>) => {
    if (!isEnter(event.nativeEvent) || event.shiftKey) return
    event.preventDefault()
    onSend(typed)
  }
  return (
    <div
      ref={measureBar}
      className="fixed right-0 bottom-(--tabs) left-(--rail) z-20 pb-(--foot)"
      style={keyboardHeight > 0 ? { bottom: keyboardHeight, paddingBottom: 0 } : undefined}
    >
      <Form
        onSubmit={submit}
        className="mx-auto flex max-w-page items-end gap-2 border-t border-hairline bg-paper px-5 py-2"
      >
        <textarea
          ref={input}
          aria-label={t('Your question')}
          rows={1}
          enterKeyHint="send"
          placeholder={t('Ask about fees, bots…')}
          value={typed}
          onChange={(event) => onType(event.target.value)}
          onKeyDown={sendOnEnter}
          className={`${INPUT_STYLE} field-sizing-content max-h-[min(10rem,25dvh)] resize-none py-3`}
        />
        <button
          type="submit"
          aria-label={t('Send')}
          disabled={isPending || typed.trim() === ''}
          onPointerDown={(event) => event.preventDefault()}
          className="grid size-[52px] shrink-0 place-items-center rounded-control border-[1.5px] border-transparent bg-accent text-on-accent transition-[transform,opacity]
            duration-120 active:scale-95 disabled:opacity-60"
        >
          <ArrowUp size={24} strokeWidth={1.75} aria-hidden="true" />
        </button>
      </Form>
    </div>
  )
}
