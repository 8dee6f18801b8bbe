import type { ResponseOf } from '#contract/schemas.ts'
import { moneyText } from '#words/figures.ts'
import { t, tCount } from '#words/words.ts'
import { useDates } from '#app/ui/device/dates.ts'

type Preview = ResponseOf<'previewDisown'>

/**
 * The changes that 'This was not me' undoes, line by line, and where the new password is set
 * afterwards.
 */
export function DisownList({ preview }: { preview: Preview }) {
  const { momentText } = useDates()
  const { address, otherAddress } = preview
  return (
    <section className="grid gap-3 rounded-control border border-control p-4">
      <h2 className="text-17 font-semibold">
        {t('What is undone, back to {time}', { time: momentText(preview.since) })}
      </h2>
      <ul className="grid gap-2 text-16 text-ink2 wrap-anywhere">
        {linesOf(preview).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      {address !== null && (
        <p className="text-16 wrap-anywhere">
          {t('You set a new password with a message to {address}.', { address })}
        </p>
      )}
      {otherAddress !== null && (
        <p className="text-14 text-ink2 wrap-anywhere">
          {t(
            'If {address} is yours and you cannot read the other one any more, do not press: change your password on Profile instead.',
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
    ...preview.returnedAccounts.map((account) => t('Bank account back: {account}', { account })),
    ...preview.passkeys.map((name) => t('Passkey removed: {name}', { name })),
    ...(preview.authenticator ? [t('Authenticator app removed')] : []),
    ...(preview.recoveryCodes
      ? [t('New recovery codes removed, the earlier ones count again')]
      : []),
    ...(preview.protections ? [t('Protection of withdrawals as strict as before')] : []),
    ...(preview.otherAddress === null
      ? []
      : [t('Email address removed: {address}', { address: preview.otherAddress })]),
    tCount(preview.devices, { one: 'One device signed out', other: '{count} devices signed out' }),
  ]
}
