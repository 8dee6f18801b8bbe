import { useRef, useState } from 'react'
import { PROBLEMS } from '#contract/problem.ts'
import type { WithdrawalProtections } from '#contract/withdrawals.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { LIVE_HOLD_HOURS } from '#core/withdrawals/hold-reason.ts'
import { MINIMUM_WITHDRAWAL } from '#core/withdrawals/withdrawal.ts'
import { moneyText } from '#words/figures.ts'
import { typedDecimal } from '#words/typed-figures.ts'
import { say, t, tCount } from '#words/words.ts'
import { showFailure } from '#app/api/failure-toast.ts'
import { FailureNote } from '#app/api/failure-note.tsx'
import { Button } from '#app/ui/buttons/button.tsx'
import { useDates } from '#app/ui/device/dates.ts'
import { AmountField, Form } from '#app/ui/forms/form.tsx'
import { CheckboxChip } from '#app/ui/forms/checkbox-chip.tsx'
import { ChoiceRow } from '#app/ui/forms/choice-row.tsx'
import { Loading } from '#app/ui/frame/loading.tsx'
import { Warning } from '#app/ui/frame/warning.tsx'
import { Section } from '#app/ui/frame/section.tsx'
import { readAmount } from '#app/ui/money/typed-amount.ts'
import { showToast } from '#app/ui/overlays/toast.ts'
import { useKeptFocus } from './authenticator-part.tsx'
import { useProtections, useUpdateProtections } from './security-queries.ts'

export function WithdrawalsPart() {
  const protections = useProtections()
  const part = useRef<HTMLDivElement>(null)
  const state = JSON.stringify(protections.data ?? null)
  useKeptFocus(part, state)
  return (
    <Section title={t('Withdrawals')}>
      <p className="pb-4 text-16 text-ink2">
        {t(
          'Stricter settings apply immediately. Looser ones apply after a delay, so a ' +
            "thief can't turn them off first.",
        )}
      </p>
      <Loading
        query={protections}
        problem={t('Unable to load your protections')}
        className="h-72 w-full"
      />
      <div ref={part} tabIndex={-1} className="outline-none">
        {protections.data && !protections.isError && (
          <ProtectionsForm key={state} protections={protections.data} />
        )}
      </div>
    </Section>
  )
}

const DELAYS_HOURS = [0, 12, 24, 48]

function ProtectionsForm({ protections }: { protections: WithdrawalProtections }) {
  const chosen = protections.later ?? protections
  const { save, isPending, error: failure } = useSave()
  const [delayHours, setDelayHours] = useState(chosen.delayHours)
  const [limit, setLimit] = useState(chosen.dailyLimit ? typedDecimal(chosen.dailyLimit) : '')
  const [allowedOnly, setAllowedOnly] = useState(chosen.allowedOnly)
  const [error, setError] = useState<string>()
  const submit = () => {
    const dailyLimit = readLimit(limit)
    setError(dailyLimit === undefined ? say(PROBLEMS['daily-limit-invalid'].message) : undefined)
    if (dailyLimit === undefined) return
    save({ delayHours, dailyLimit, allowedOnly })
  }
  return (
    <Form onSubmit={submit} className="grid gap-4">
      {protections.later && <Later protections={protections} />}
      <DelayChoice current={chosen.delayHours} value={delayHours} onChange={setDelayHours} />
      <AmountField
        label={t('Maximum within 24 hours')}
        name="dailyLimit"
        value={limit}
        error={error}
        hint={t('Empty: no limit.')}
        onChange={(value) => {
          setLimit(value)
          setError(undefined)
        }}
      />
      <CheckboxChip
        name="allowedOnly"
        value="yes"
        checked={allowedOnly}
        onToggle={() => setAllowedOnly(!allowedOnly)}
        text={t('No withdrawals to new bank accounts')}
        detail={newForText(protections.looserAfterHours)}
      />
      <Button type="submit" look="outline" pending={isPending} pendingLabel={t('Saving…')}>
        {t('Save')}
      </Button>
      <FailureNote error={failure} action="updateProtections" />
    </Form>
  )
}

/** `current` is a choice too, even if it is not among the usual ones. */
function DelayChoice({
  current,
  value,
  onChange,
}: {
  current: number
  value: number
  onChange: (hours: number) => void
}) {
  const delays = [...new Set([...DELAYS_HOURS, current])].toSorted((a, b) => a - b)
  return (
    <ChoiceRow
      label={t('Delay before a withdrawal is sent')}
      choices={delays.map((hours) => ({ text: hoursText(hours), value: String(hours) }))}
      chosen={String(value)}
      onChoose={(hours) => onChange(Number(hours))}
      isLabelShown
    />
  )
}

function useSave() {
  const { mutate, isPending, error } = useUpdateProtections()
  const save = (wanted: Parameters<typeof mutate>[0]) =>
    mutate(wanted, {
      onSuccess: ({ later }) =>
        showToast({
          title: t('Protections saved'),
          description: later
            ? t('Looser settings apply after a delay.')
            : t('They apply immediately.'),
        }),
      onError: (failure) => showFailure(failure, 'updateProtections'),
    })
  return { save, isPending, error }
}

/** Null: no limit; undefined: not a limit that can be set. */
function readLimit(typed: string): string | null | undefined {
  if (typed.trim() === '') return null
  const limit = readAmount(typed)
  return limit !== undefined && decimalToUnits(limit) >= MINIMUM_WITHDRAWAL ? limit : undefined
}

function newForText(hours: number): string {
  if (hours === 0)
    return t('Here, no account counts as new. With real money, each does for {hours} hours.', {
      hours: LIVE_HOLD_HOURS,
    })
  return tCount(hours, {
    one: 'An account is new for {count} hour.',
    other: 'An account is new for {count} hours.',
  })
}

function Later({
  protections: { delayHours, dailyLimit, allowedOnly, later },
}: {
  protections: WithdrawalProtections
}) {
  const { momentText } = useDates()
  const present = [
    t('delay: {hours}', { hours: hoursText(delayHours) }),
    dailyLimit === null
      ? t('no daily limit')
      : t('daily limit: {amount}', { amount: moneyText({ amount: dailyLimit }) }),
    allowedOnly ? t('no new bank accounts') : t('new bank accounts allowed'),
  ]
  return (
    <Warning
      title={t('Your choice applies from {moment} on', { moment: momentText(later?.from ?? '') })}
    >
      {t('Until then: {present}.', { present: present.join(' · ') })}
    </Warning>
  )
}

function hoursText(hours: number): string {
  return hours === 0 ? t('None') : t('{hours} h', { hours })
}
