import { useState } from 'react'
import type { Closing } from '#contract/auth.ts'
import { plainRoutes } from '#contract/plain-routes.ts'
import type { Obstacle } from '#core/auth/closing.ts'
import { msg, say, t } from '#words/words.ts'
import { useSignOut } from '#app/api/actions.ts'
import { FailureNote } from '#app/api/failure-note.tsx'
import { showFailure, showFailureAs } from '#app/api/failure-toast.ts'
import { useVisited } from '#app/api/use-visited.ts'
import { useSendOnce } from '#app/api/send-once.ts'
import { callWithProof } from '#app/proofs/asked-proof.ts'
import { ProofOutlet } from '#app/proofs/proof-outlet.tsx'
import { ContactSupport } from '#app/shell/contact-support.tsx'
import { PageHeader } from '#app/shell/page-header.tsx'
import { ActionButton } from '#app/ui/buttons/action-button.tsx'
import { DownloadLink } from '#app/ui/buttons/download-link.tsx'
import { LinkButton } from '#app/ui/buttons/button.tsx'
import { useLocation } from '#app/ui/frame/address.ts'
import { Loading } from '#app/ui/frame/loading.tsx'
import { Section } from '#app/ui/frame/section.tsx'
import { Money } from '#app/ui/money/money.tsx'
import { ConfirmDialog } from '#app/ui/overlays/confirm-dialog.tsx'
import { showToast } from '#app/ui/overlays/toast.ts'
import { forgetPush } from './session-queries.ts'

export function DataScreen() {
  const closing = useClosing()
  return (
    <>
      <PageHeader screen="myData" backTo="/profile" />
      <ExportPart />
      <Section title={t('Close your account')}>
        <Loading
          query={closing}
          problem={t('Unable to load what you must do first')}
          className="h-40 w-full"
        />
        {closing.data && !closing.isError && <ClosePart closing={closing.data} />}
      </Section>
      <ProofOutlet />
    </>
  )
}

function ExportPart() {
  const copy = useExport()
  return (
    <Section title={t('A copy of your data')}>
      <p className="pb-4 text-16 text-ink2">
        {t(
          'One JSON file with all that we keep about you. It has your profile, ' +
            'devices, bank accounts, money, bots, trades, notifications and the log of ' +
            'your actions. Passwords and keys are not in it.',
        )}
      </p>
      <div className="grid gap-3">
        <ActionButton
          look="outline"
          pending={copy.isPending}
          pendingLabel={t('Preparing…')}
          onClick={() =>
            copy.mutate(undefined, {
              onError: (error) =>
                showFailureAs(error, {
                  title: t('Copy not made'),
                  description: t('Please try again.'),
                }),
            })
          }
        >
          {t('Download my data')}
        </ActionButton>
      </div>
      <div className="flex flex-wrap gap-x-6 pt-2">
        <DownloadLink href={plainRoutes.statement}>{t('Statement (CSV)')}</DownloadLink>
        <DownloadLink href={plainRoutes.trades}>{t('Download trades (CSV)')}</DownloadLink>
      </div>
    </Section>
  )
}

type Step = { text: string; href: string; link: string }

const STEPS: Record<Obstacle, Step> = {
  bots: {
    text: msg('Close your bots, so that their money returns to your balance.'),
    href: '/bot-config',
    link: msg('Your bots'),
  },
  withdrawals: {
    text: msg('Wait until your withdrawals have arrived, or cancel them.'),
    href: '/withdraw',
    link: msg('Your withdrawals'),
  },
  payments: {
    text: msg('Finish your card payment, or wait until it ends.'),
    href: '/deposit',
    link: msg('Deposit|verb'),
  },
  debt: {
    text: msg('Pay back the amount that a refunded or disputed card payment left open.'),
    href: '/deposit',
    link: msg('Deposit|verb'),
  },
  cash: { text: msg('Withdraw your balance.'), href: '/withdraw', link: msg('Withdraw') },
  rest: {
    text: msg(
      'Your balance is below the smallest withdrawal. Deposit enough to withdraw all of ' +
        'it, or ask support.',
    ),
    href: '/deposit',
    link: msg('Deposit|verb'),
  },
}

function ClosePart({ closing: { obstacles, cash } }: { closing: Closing }) {
  return (
    <>
      <p className="pb-4 text-16 text-ink2">
        {t(
          'Your name, email address, devices and wallets are erased at once. Your bank ' +
            'account numbers are erased at most 90 days after the last withdrawal. ' +
            'Records of money are kept as long as the law requires. Your username stays ' +
            'taken, so nobody can pose as you.',
        )}
      </p>
      {obstacles.length === 0 ? <CloseButton /> : <Steps obstacles={obstacles} cash={cash} />}
    </>
  )
}

function Steps({ obstacles, cash }: { obstacles: readonly Obstacle[]; cash: string }) {
  return (
    <>
      <h3 className="text-16 font-semibold">{t('Before you can close it')}</h3>
      <ul className="divide-y divide-hairline">
        {obstacles.map((obstacle) => (
          <li
            key={obstacle}
            className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2 py-3 text-16"
          >
            <p className="min-w-0 flex-1 basis-56">
              {say(STEPS[obstacle].text)}{' '}
              {(obstacle === 'cash' || obstacle === 'rest') && (
                <Money amount={cash} className="font-semibold" />
              )}
            </p>
            <LinkButton href={STEPS[obstacle].href} look="outline">
              {say(STEPS[obstacle].link)}
            </LinkButton>
          </li>
        ))}
      </ul>
      <ContactSupport />
    </>
  )
}

function CloseButton() {
  const [asking, setAsking] = useState(false)
  const [, navigate] = useLocation()
  const leave = () => {
    void forgetPush()
    navigate('/', { replace: true })
    showToast({ title: t('Account closed'), description: t('Thank you for being here.') })
  }
  const close = useCloseAccount({ leave })
  const confirm = () => {
    setAsking(false)
    close.mutate(undefined, { onError: (error) => showFailure(error, 'closeAccount') })
  }
  return (
    <div className="grid gap-3">
      <ActionButton
        look="danger"
        pending={close.isPending}
        pendingLabel={t('Closing…')}
        onClick={() => setAsking(true)}
      >
        {t('Close my account')}
      </ActionButton>
      <FailureNote error={close.error} action="closeAccount" />
      <ConfirmDialog
        open={asking}
        onCancel={() => setAsking(false)}
        onConfirm={confirm}
        question={t('Close your account for good?')}
        confirmLabel={t('Close it')}
        cancelLabel={t('Keep it')}
      >
        {t(
          'This cannot be undone. Download your data and your statement first: you cannot ' +
            'sign in afterwards.',
        )}
      </ConfirmDialog>
    </div>
  )
}

/** Refetched on every visit, because obstacles are removed on other screens. */
function useClosing() {
  return useVisited(['getClosing'], {})
}

function useExport() {
  return useSendOnce({
    mutationFn: () => callWithProof('exportData', {}, t('A copy of your data')),
    onSuccess: ({ path }) => {
      if (path.startsWith(plainRoutes.myData)) location.assign(path)
    },
  })
}

function useCloseAccount({ leave }: { leave: () => void }) {
  return useSignOut({
    end: () => callWithProof('closeAccount', {}, t('Close the account for good')),
    leave,
  })
}
