import { Section } from '#app/ui/frame/section.tsx'
import { ConnectedWallets } from './connected-wallets.tsx'
import { LinkWallet } from './link-wallet.tsx'

export function WalletsPanel() {
  return (
    <Section title="Crypto Wallets">
      <LinkWallet />
      <ConnectedWallets />
    </Section>
  )
}
