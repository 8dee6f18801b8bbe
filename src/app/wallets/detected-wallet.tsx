import { chainName } from '#core/wallets/chain.ts'
import { msg, say, t } from '#words/words.ts'
import { ActionButton } from '#app/ui/buttons/action-button.tsx'
import { Button } from '#app/ui/buttons/button.tsx'
import { CopyButton } from '#app/ui/buttons/copy-button.tsx'
import type { BrowserWallet } from './browser-wallets.ts'
import { shortAddress, type Account } from './wallet-account.ts'

const VERIFYING = msg('Verifying ownership...')
const PENDING_LABELS = {
  detected: '',
  preparing: msg('Getting verification...'),
  signing: VERIFYING,
  sending: VERIFYING,
}

/** A connected account whose ownership is not verified yet. */
export function DetectedWallet({
  phase,
  wallet,
  account: { address, chainId },
  onSign,
  onCancel,
}: {
  phase: 'detected' | 'preparing' | 'signing' | 'sending'
  wallet: BrowserWallet
  account: Account
  onSign: () => void
  onCancel: () => void
}) {
  return (
    <div className="flex flex-col gap-3 rounded-control border border-hairline bg-surface p-4">
      <div className="flex items-center justify-between gap-3">
        <div className="min-w-0">
          <p className="text-14 text-ink2">{wallet.name}</p>
          <p className="text-17 font-semibold" title={address}>
            {shortAddress(address)}
          </p>
          <p className="text-14 text-ink2">{say(chainName(chainId))}</p>
        </div>
        <CopyButton name="address" text={address} className="-mr-2" />
      </div>
      <p role="status" className="text-14 text-ink2">
        {phase === 'signing'
          ? t('Open your wallet and sign the message.')
          : t('Your balance is fetched after verification.')}
      </p>
      <ActionButton
        pending={phase !== 'detected'}
        pendingLabel={say(PENDING_LABELS[phase])}
        onClick={onSign}
      >
        {t('Sign & Verify Wallet')}
      </ActionButton>
      <Button look="outline" disabled={phase === 'sending'} onClick={onCancel}>
        {t('Cancel')}
      </Button>
    </div>
  )
}
