import { useRef, useState } from 'react'
import type { WithdrawalProtections } from '#contract/withdrawals.ts'
import { decimalToUnits } from '#core/money/decimal.ts'
import { Refusal } from '#core/refusal.ts'
import { LIVE_WITHDRAWAL_HOLD_HOURS } from '#core/withdrawals/hold-reason.ts'
import { MINIMUM_WITHDRAWAL } from '#core/withdrawals/withdrawal.ts'
import { moneyText } from '#words/figures.ts'
import { typedDecimal } from '#words/typed-figures.ts'
import { t, tCount } from '#words/words.ts'
import { Form, Submit, useForm } from '#app/api/form.tsx'
import { useDates } from '#app/ui/device/dates.ts'
import { AmountField } from '#app/ui/forms/fields.tsx'
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
  const update = useUpdateProtections()
  const [delayHours, setDelayHours] = useState(chosen.delayHours)
  const [limit, setLimit] = useState(chosen.dailyLimit ? typedDecimal(chosen.dailyLimit) : '')
  const [allowedOnly, setAllowedOnly] = useState(chosen.allowedOnly)
  const form = useForm({
    action: 'updateProtections',
    request: update,
    read: () => ({ delayHours, limit, allowedOnly }),
    check: (typed) => ({ dailyLimit: () => readLimit(typed.limit) }),
    send: ({ limit: typed, ...wanted }) =>
      update.mutateAsync({ ...wanted, dailyLimit: readLimit(typed) }),
    onDone: showSaved,
  })
  return (
    <Form form={form} className="grid gap-4">
      {protections.later && <Later protections={protections} />}
      <DelayChoice current={chosen.delayHours} value={delayHours} onChange={setDelayHours} />
      <AmountField
        label={t('Maximum within 24 hours')}
        value={limit}
        hint={t('Empty: no limit.')}
        onChange={setLimit}
        {...form.field('dailyLimit')}
      />
      <CheckboxChip
        name="allowedOnly"
        value="yes"
        checked={allowedOnly}
        onToggle={() => setAllowedOnly(!allowedOnly)}
        text={t('No withdrawals to new bank accounts')}
        detail={newForText(protections.looserAfterHours)}
      />
      <Submit form={form} look="outline" pendingLabel={t('Saving…')}>
        {t('Save')}
      </Submit>
    </Form>
  )
}

function showSaved({ later }: WithdrawalProtections): void {
  showToast({
    title: t('Protections saved'),
    description: later ? t('Looser settings apply after a delay.') : t('They apply immediately.'),
  })
}

/** `current` is offered too, even if it is not among the usual delays. */
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

/** Null for no limit. */
function readLimit(typed: string): string | null {
  if (typed.trim() === '') return null
  const limit = readAmount(typed)
  if (limit === undefined || decimalToUnits(limit) < MINIMUM_WITHDRAWAL)
    throw new Refusal('daily-limit-invalid')
  return limit
}

function newForText(hours: number): string {
  if (hours === 0)
    return t('Here, no account counts as new. With real money, each is new for {hours} hours.', {
      hours: LIVE_WITHDRAWAL_HOLD_HOURS,
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
