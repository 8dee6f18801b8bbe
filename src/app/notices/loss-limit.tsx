import { useState } from 'react'
import { PROBLEMS } from '#contract/problem.ts'
import { typedDecimal } from '#words/typed-figures.ts'
import { say, t } from '#words/words.ts'
import { showFailure } from '#app/api/failure-toast.ts'
import { FailureNote } from '#app/api/failure-note.tsx'
import { Button } from '#app/ui/buttons/button.tsx'
import { AmountField } from '#app/ui/forms/amount-field.tsx'
import { Form } from '#app/ui/forms/form.tsx'
import { Section } from '#app/ui/frame/section.tsx'
import { isTypedPositive, readAmount } from '#app/ui/money/typed-amount.ts'
import { showToast } from '#app/ui/overlays/toast.ts'
import { useUpdateNoticeSettings } from './notice-queries.ts'

/** The loss from which on the user wants a notice. It stops nothing. */
export function LossLimit({ limit }: { limit: string | null }) {
  const update = useUpdateNoticeSettings()
  const [typed, setTyped] = useState(limit === null ? '' : typedDecimal(limit))
  const [error, setError] = useState<string>()
  const submit = () => {
    const isNone = typed.trim() === ''
    const isWrong = !isNone && !isTypedPositive(typed)
    setError(isWrong ? say(PROBLEMS['loss-limit-invalid'].message) : undefined)
    if (isWrong) return
    update.mutate(
      { lossLimit: isNone ? null : (readAmount(typed) ?? null) },
      {
        onSuccess: () => showToast({ title: isNone ? t('No loss limit') : t('Loss limit saved') }),
        onError: (failure) => showFailure(failure, 'updateNoticeSettings'),
      },
    )
  }
  return (
    <Section title={t('Loss limit')}>
      <p className="pb-3 text-14 text-ink2">
        {t(
          'A notice as soon as trading has lost this much of all you deposited. Your bots go on trading.',
        )}
      </p>
      <Form onSubmit={submit} className="grid gap-3">
        <AmountField
          label={t('Tell me from this loss on')}
          name="lossLimit"
          value={typed}
          onChange={(value) => {
            setTyped(value)
            setError(undefined)
          }}
          error={error}
          hint={t('Empty: no notice.')}
        />
        <Button
          type="submit"
          look="outline"
          pending={update.isPending}
          pendingLabel={t('Saving...')}
        >
          {t('Save')}
        </Button>
        <FailureNote error={update.error} action="updateNoticeSettings" />
      </Form>
    </Section>
  )
}
