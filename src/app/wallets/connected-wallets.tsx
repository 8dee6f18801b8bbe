import type { CryptoWallet } from '#contract/wallets.ts'
import { sayIfKnown, t } from '#words/words.ts'
import { Button } from '#app/ui/buttons/button.tsx'
import { showFailure } from '#app/api/failure-toast.ts'
import { EmptyState } from '#app/ui/frame/empty-state.tsx'
import { Loading } from '#app/ui/frame/loading.tsx'
import { Money, useMoneyText } from '#app/ui/money/money.tsx'
import { StatusBadge } from '#app/ui/frame/status-badge.tsx'
import { showToast } from '#app/ui/overlays/toast.ts'
import { typeText } from './browser-wallets.ts'
import { shortAddress } from './wallet-account.ts'
import { useDisconnectWallet, useRefreshBalance, useWallets } from './use-wallet-link.ts'

export function ConnectedWallets() {
  return (
    <section aria-labelledby="connected-wallets" className="pt-6">
      <h3 id="connected-wallets" className="pb-2 text-17 font-semibold">
        {t('Connected Wallets')}
      </h3>
      <WalletList />
    </section>
  )
}

function WalletList() {
  const wallets = useWallets()
  if (!wallets.data || wallets.isError)
    return (
      <Loading query={wallets} problem={t('Unable to load your wallets')} className="h-28 w-full" />
    )
  if (wallets.data.length === 0) return <EmptyState title={t('No wallets connected yet')} />
  return (
    <ul className="divide-y divide-hairline border-y border-hairline">
      {wallets.data.map((wallet) => (
        <WalletRow key={wallet.id} wallet={wallet} />
      ))}
    </ul>
  )
}

function WalletRow({ wallet }: { wallet: CryptoWallet }) {
  const { walletType, walletAddress, chainName, coin, isConnected } = wallet
  return (
    <li className="py-3">
      <div className="flex items-center justify-between gap-3">
        <p className="min-w-0 text-16 font-semibold wrap-anywhere">{typeText(walletType)}</p>
        <StatusBadge status={isConnected ? 'connected' : 'disconnected'} />
      </div>
      <p className="text-16">
        <span title={walletAddress}>{shortAddress(walletAddress)}</span>{' '}
        <span className="text-ink2">· {sayIfKnown(chainName)}</span>
      </p>
      <LastBalance wallet={wallet} />
      {isConnected && (
        <div className="-mx-2 flex flex-wrap justify-between gap-x-3">
          {coin ? <RefreshButton wallet={wallet} /> : <span />}
          <DisconnectButton wallet={wallet} />
        </div>
      )}
    </li>
  )
}

function LastBalance({
  wallet: { coin, lastBalance, lastBalanceCheck },
}: {
  wallet: CryptoWallet
}) {
  if (!coin)
    return <p className="text-14 text-ink2">{t("We can't show balances on this network.")}</p>
  return (
    <p className="text-16">
      <span className="text-ink2">{t('Last balance')} </span>
      <Money amount={lastBalance} asset={coin} precision="coin" />
      {lastBalanceCheck === null && (
        <span className="text-14 text-ink2"> {t('(not read yet)')}</span>
      )}
    </p>
  )
}

function RefreshButton({ wallet: { id, walletAddress } }: { wallet: CryptoWallet }) {
  const refresh = useRefreshBalance()
  const address = shortAddress(walletAddress)
  const moneyText = useMoneyText()
  const press = () =>
    refresh.mutate(id, {
      onSuccess: ({ balance, coin }) =>
        showToast({
          title: t('Balance updated'),
          description: t('Current balance: {amount}', {
            amount: moneyText({ amount: balance, asset: coin, precision: 'coin' }),
          }),
        }),
      onError: (error) => showFailure(error, 'getWalletBalance'),
    })
  return (
    <Button
      look="quiet"
      pending={refresh.isPending}
      aria-label={t('Refresh balance of {address}', { address })}
      onClick={press}
    >
      {t('Refresh balance')}
    </Button>
  )
}

function DisconnectButton({ wallet: { id, walletAddress } }: { wallet: CryptoWallet }) {
  const disconnect = useDisconnectWallet()
  const address = shortAddress(walletAddress)
  const press = () =>
    disconnect.mutate(id, {
      onSuccess: () =>
        showToast({
          title: t('Wallet disconnected'),
          description: t('Your crypto wallet has been unlinked from your account.'),
        }),
      onError: (error) => showFailure(error, 'disconnectWallet'),
    })
  return (
    <Button
      look="quiet-danger"
      pending={disconnect.isPending}
      aria-label={t('Disconnect {address}', { address })}
      onClick={press}
    >
      {t('Disconnect')}
    </Button>
  )
}
