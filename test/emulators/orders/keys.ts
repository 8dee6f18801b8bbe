import { generateKeyPairSync } from 'node:crypto'
import type { AccountOptions } from '../exchange-dialect.ts'
import type { ExchangeName } from '../exchange-state.ts'

const secret = 'the secret of the emulated account'

/** A key in the form of each exchange; Coinbase's secret is a private key in PEM. */
export const KEYS: Readonly<Record<ExchangeName, Pick<AccountOptions, 'key' | 'secret'>>> = {
  kraken: { key: 'emulated', secret: Buffer.from(secret).toString('base64') },
  binance: { key: 'emulated', secret },
  coinbase: {
    key: 'organizations/3b910e93-0000-4000-8000-000000000000/apiKeys/emulated',
    secret: generateKeyPairSync('ec', { namedCurve: 'P-256' })
      .privateKey.export({ type: 'sec1', format: 'pem' })
      .toString(),
  },
}
