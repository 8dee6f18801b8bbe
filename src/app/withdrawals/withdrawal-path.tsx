import type { ReactNode } from 'react'
import type { HoldReason } from '#core/withdrawals/hold-reason.ts'
import { expectedArrival } from '#core/withdrawals/arrival.ts'
import type { WithdrawalTerms } from '#contract/withdrawals.ts'
import { msg, say, t } from '#words/words.ts'
import { useDates } from '#app/ui/device/dates.ts'
import { arrivalText } from '#app/ui/money/sending-lines.ts'
import { useSending } from './use-sending.ts'

const BECAUSE: Record<HoldReason, string> = {
  'password-reset': msg('Your password was reset.'),
  'password-changed': msg('Your password was changed.'),
  'email-verified': msg('Your email address was verified.'),
  'factor-changed': msg('Your passkeys, authenticator app or recovery codes were changed.'),
  'bank-account-added': msg('A bank account was added.'),
  'bank-account-default': msg('Another bank account became the default.'),
  disowned: msg('Somebody pressed "This was not me".'),
}

/** Element id of the step with the sending time, which describes the button below. */
export const SENDING = 'sending'

/**
 * The steps of a withdrawal with their dates: requested now, sent after a wait if there is one,
 * paid.
 */
export function WithdrawalPath({ terms }: { terms: WithdrawalTerms | undefined }) {
  const { momentText } = useDates()
  const { sendsAfterMs, requestedMs } = useSending(terms)
  const arrival = expectedArrival(Math.max(sendsAfterMs ?? 0, requestedMs))
  return (
    <ol>
      <Step isDone title={t('You request it')} at={t('now')} />
      {terms && sendsAfterMs !== null && (
        <Step
          id={SENDING}
          title={t('Sent from {moment} on', {
            moment: momentText(new Date(sendsAfterMs).toISOString()),
          })}
        >
          {terms.hold && (
            <p>
              {say(BECAUSE[terms.hold.reason])} {t('To protect your account, withdrawals wait.')}
            </p>
          )}
          {terms.delayHours > 0 && (
            <p>
              {t('Your own delay: a withdrawal is sent {hours} hours after its request.', {
                hours: terms.delayHours,
              })}
            </p>
          )}
        </Step>
      )}
      <Step isLast title={t('At your bank')} at={arrivalText(arrival)}>
        <p>{t('Processing takes 1-3 business days.')}</p>
      </Step>
    </ol>
  )
}

function Step({
  id,
  title,
  at,
  isDone = false,
  isLast = false,
  children,
}: {
  id?: string
  title: string
  at?: string
  isDone?: boolean
  isLast?: boolean
  children?: ReactNode
}) {
  return (
    <li id={id} className="flex gap-3">
      <span aria-hidden="true" className="flex w-3 shrink-0 flex-col items-center">
        <span
          className={
            'mt-1.5 size-3 shrink-0 rounded-full border-[1.5px] forced-color-adjust-none ' +
            (isDone ? 'border-accent bg-accent' : 'border-control')
          }
        />
        {!isLast && <span className="w-px flex-1 bg-control" />}
      </span>
      <div className={`min-w-0 flex-1 ${isLast ? '' : 'pb-3'}`}>
        <p className="flex flex-wrap justify-between gap-x-3 text-16">
          <span>{title}</span>
          {at !== undefined && <span className="ml-auto text-ink2">{at}</span>}
        </p>
        <div className="text-14 text-ink2">{children}</div>
      </div>
    </li>
  )
}
