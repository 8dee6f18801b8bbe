import { useQuery } from '@tanstack/react-query'
import type { ResponseOf } from '#contract/calls.ts'
import { moneyText } from '#words/figures.ts'
import { t, tCount } from '#words/words.ts'
import { useAction } from '#app/api/actions.ts'
import { call } from '#app/api/call.ts'
import { FailureNote } from '#app/api/failure-note.tsx'
import { showFailure } from '#app/api/failure-toast.ts'
import { Button, LinkButton } from '#app/ui/buttons/button.tsx'
import { useDates } from '#app/ui/device/dates.ts'
import { AuthFrame, DeadLink, DoneNote, isDead, useLinkToken } from './auth-frame.tsx'

/**
 * Locks an account, from a message about a change that its owner did not make. Requires a press,
 * because mail programs open links by themselves.
 */
export function NotMeScreen() {
  const token = useLinkToken()
  const disown = useAction('disown', () => call('disown', { body: { token: token ?? '' } }))
  const preview = usePreview(token)
  return (
    <AuthFrame screen="notMe">
      {/* As high as the question, so that nothing below moves if the link is invalid. */}
      <div className="min-h-64">
        {disown.isSuccess ? (
          <DoneNote
            title={t('Your account is locked')}
            action={<LinkButton href="/forgot-password">{t('Set a new password')}</LinkButton>}
          >
            {t(
              'All devices were signed out, and withdrawals are locked. Set a new password ' +
                'to unlock your account. Your bots keep running.',
            )}
          </DoneNote>
        ) : isDead(token, disown.error ?? preview.error) ? (
          <DeadLink href="/forgot-password">{t('Set a new password')}</DeadLink>
        ) : (
          <div className="grid gap-5">
            <p className="text-16 text-ink2">
              {t(
                'Press the button if you did not do what the message says. All devices are ' +
                  'signed out, and your password stops working. Withdrawals are locked until ' +
                  'you set a new password by email.',
              )}
            </p>
            {preview.data && <DisownList preview={preview.data} />}
            <Button
              look="danger"
              pending={disown.isPending}
              pendingLabel={t('Locking…')}
              onClick={() =>
                disown.mutate(undefined, { onError: (error) => showFailure(error, 'disown') })
              }
            >
              {t('Lock my account')}
            </Button>
            <FailureNote error={disown.error} action="disown" />
          </div>
        )}
      </div>
    </AuthFrame>
  )
}

function usePreview(token: string | null) {
  return useQuery({
    queryKey: ['previewDisown', token],
    queryFn: ({ signal }) => call('previewDisown', { body: { token: token ?? '' }, signal }),
    enabled: Boolean(token),
  })
}

type Preview = ResponseOf<'previewDisown'>

/**
 * The changes that 'This was not me' undoes, one per line, and how to set the new password
 * afterwards.
 */
function DisownList({ preview }: { preview: Preview }) {
  const { momentText } = useDates()
  const { address, otherAddress } = preview
  return (
    <section className="grid gap-3 rounded-control border border-control p-4">
      <h2 className="text-17 font-semibold">
        {t('Changes since {time} that will be undone', { time: momentText(preview.since) })}
      </h2>
      <ul className="grid gap-2 text-16 text-ink2 wrap-anywhere">
        {linesOf(preview).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {address !== null && (
        <p className="text-16 wrap-anywhere">
          {t('You set a new password with a link sent to {address}.', { address })}
        </p>
      )}
      {otherAddress !== null && (
        <p className="text-14 text-ink2 wrap-anywhere">
          {t(
            "Don't press the button if {address} is yours and you can't read mail at the other address. Change your password on Profile instead.",
            { address: otherAddress },
          )}
        </p>
      )}
    </section>
  )
}

function linesOf(preview: Preview): string[] {
  return [
    ...preview.withdrawals.map(({ amount, account }) =>
      t('Withdrawal canceled: {amount} to {account}', { amount: moneyText({ amount }), account }),
    ),
    ...preview.removedAccounts.map((account) => t('Bank account removed: {account}', { account })),
    ...preview.returnedAccounts.map((account) =>
      t('Bank account restored: {account}', { account }),
    ),
    ...preview.passkeys.map((name) => t('Passkey removed: {name}', { name })),
    ...preview.keys.map((name) => t('Key for a program revoked: {name}', { name })),
    ...(preview.authenticator ? [t('Authenticator app removed')] : []),
    ...(preview.recoveryCodes
      ? [t('New recovery codes removed; the earlier ones work again')]
      : []),
    ...(preview.protections ? [t('Withdrawal protections restored')] : []),
    ...(preview.otherAddress === null
      ? []
      : [t('Email address removed: {address}', { address: preview.otherAddress })]),
    tCount(preview.devices, { one: 'One device signed out', other: '{count} devices signed out' }),
  ]
}
