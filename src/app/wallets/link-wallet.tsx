import { useSyncExternalStore, type ReactNode } from 'react'
import { chainName } from '#core/wallets/chain.ts'
import { msg, say, t } from '#words/words.ts'
import { ActionButton } from '#app/ui/buttons/action-button.tsx'
import { Button } from '#app/ui/buttons/button.tsx'
import { CopyButton } from '#app/ui/buttons/copy-button.tsx'
import { showToast } from '#app/ui/overlays/toast.ts'
import { Trans } from '#app/ui/words/trans.tsx'
import { watchWallets, type BrowserWallet } from './browser-wallets.ts'
import { useWalletLink } from './use-wallet-link.ts'
import { shortAddress, type WalletAccount } from './wallet-account.ts'

/** An empty object on the server, which renders this screen too but has no wallets. */
const browserWallets = watchWallets(typeof window === 'undefined' ? new EventTarget() : window)

const NONE: readonly BrowserWallet[] = []

export function LinkWallet() {
  const wallets = useSyncExternalStore(browserWallets.subscribe, browserWallets.list, () => NONE)
  const { state, choose, connect, sign, cancel } = useWalletLink()
  if ('wallet' in state)
    return <DetectedWallet {...state} onSign={() => void sign(state)} onCancel={cancel} />
  if (state.phase === 'choosing')
    return (
      <WalletChoice
        wallets={wallets}
        onChoose={(wallet) => void connect(wallet)}
        onCancel={cancel}
      />
    )
  const [first] = wallets
  const press = () => {
    if (wallets.length > 1) choose()
    else if (first) void connect(first)
  }
  return (
    <div className="flex flex-col gap-3">
      <Button
        look="outline"
        disabled={!first}
        aria-describedby="found-wallets"
        pending={state.phase === 'connecting'}
        onClick={press}
      >
        {t('Connect MetaMask')}
      </Button>
      {state.phase === 'connecting' ? <Waiting onCancel={cancel} /> : <Found wallets={wallets} />}
    </div>
  )
}

/**
 * Looks for a wallet that was enabled after the page was loaded, and reports if there is still
 * none.
 */
function lookAgain() {
  browserWallets.look()
  if (browserWallets.list().length > 0) return
  const description = t('Please install MetaMask browser extension to connect your wallet.')
  showToast({ title: t('MetaMask not found'), description, tone: 'destructive' })
}

function Waiting({ onCancel }: { onCancel: () => void }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-3">
      <p role="status" className="text-14 text-ink2">
        {t('Open your wallet to continue.')}
      </p>
      <Button look="quiet" onClick={onCancel}>
        {t('Cancel')}
      </Button>
    </div>
  )
}

function installLink(words: ReactNode): ReactNode {
  return (
    <a
      href="https://metamask.io/download/"
      target="_blank"
      rel="noopener noreferrer"
      className="font-semibold text-accent underline"
    >
      {words}
    </a>
  )
}

function Found({ wallets }: { wallets: readonly BrowserWallet[] }) {
  if (wallets.length > 0) {
    return (
      <p id="found-wallets" className="text-14 text-ink2">
        {t('Found in this browser: {wallets}', {
          wallets: wallets.map(({ name }) => name).join(', '),
        })}
      </p>
    )
  }
  return (
    <>
      <p id="found-wallets" className="text-14 text-ink2">
        <Trans
          message="No wallet was found in this browser. <link>Install MetaMask</link>, or on a phone open this page inside your wallet app."
          link={installLink}
        />
      </p>
      <Button look="quiet" className="-mx-2 self-start" onClick={lookAgain}>
        {t('Search again')}
      </Button>
    </>
  )
}

function WalletChoice({
  wallets,
  onChoose,
  onCancel,
}: {
  wallets: readonly BrowserWallet[]
  onChoose: (wallet: BrowserWallet) => void
  onCancel: () => void
}) {
  return (
    <div className="flex flex-col gap-2">
      <p id="wallet-choice" className="text-16">
        {t('Choose a wallet')}
      </p>
      <ul aria-labelledby="wallet-choice" className="flex flex-col gap-2">
        {wallets.map((wallet) => (
          <li key={wallet.id} className="grid">
            <button
              type="button"
              onClick={() => onChoose(wallet)}
              className={
                'flex min-h-14 items-center gap-3 rounded-control border border-control ' +
                'bg-surface px-4 py-3 text-left transition-transform duration-120 ' +
                'active:scale-[0.98]'
              }
            >
              {wallet.icon && (
                <img src={wallet.icon} alt="" width={24} height={24} className="size-6 shrink-0" />
              )}
              <span
                className={
                  'flex min-w-0 flex-1 flex-wrap items-baseline justify-between gap-x-3 ' +
                  'wrap-anywhere'
                }
              >
                <span className="text-16 font-semibold text-ink">{wallet.name}</span>{' '}
                <span className="text-14 text-ink2">{wallet.maker}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      <Button look="quiet" onClick={onCancel}>
        {t('Cancel')}
      </Button>
    </div>
  )
}

const VERIFYING = msg('Verifying ownership...')
const PENDING_LABELS = {
  detected: '',
  preparing: msg('Getting verification...'),
  signing: VERIFYING,
  sending: VERIFYING,
}

function DetectedWallet({
  phase,
  wallet,
  account: { address, chainId },
  onSign,
  onCancel,
}: {
  phase: 'detected' | 'preparing' | 'signing' | 'sending'
  wallet: BrowserWallet
  account: WalletAccount
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
