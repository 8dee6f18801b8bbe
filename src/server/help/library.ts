import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArticle, type Facts } from '#core/help/article.ts'
import { PERFORMANCE_FEE_BPS } from '#core/trading/fee.ts'
import type { Config } from '#server/config.ts'
import type { HelpLibrary } from '#server/ports/help-library.ts'
import { claimsOf } from '#server/claims.ts'
import { supportOf } from '#server/support.ts'
import { buildIndex } from './help-index.ts'

const FOLDER = join(import.meta.dirname, '..', '..', '..', 'docs', 'help')

/** Reads the articles with the first question, then caches them. */
export function openLibrary(config: Config): () => HelpLibrary {
  let library: HelpLibrary | undefined
  return () => (library ??= readLibrary(factsOf(config)))
}

function readLibrary(facts: Facts): HelpLibrary {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.md'))
  const articles = names.toSorted().map((name) => parseArticle(readFileSync(join(FOLDER, name), 'utf8'), facts))
  return { articles: new Map(articles.map((article) => [article.id, article])), index: buildIndex(articles) }
}

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 0 })

function factsOf(config: Config): Facts {
  return {
    'password-minimum': String(config.PASSWORD_MINIMUM),
    'deposit-minimum': dollars.format(config.DEPOSIT_MINIMUM),
    'deposit-maximum': dollars.format(config.DEPOSIT_MAXIMUM),
    fee: percentText(PERFORMANCE_FEE_BPS),
    'fee-of-100': `$${PERFORMANCE_FEE_BPS / 100}`,
    'trading-fee': percentText(config.TRADING_FEE_BPS),
    'half-spread': percentText(config.TRADING_HALF_SPREAD_BPS),
    slippage: percentText(config.TRADING_SLIPPAGE_BPS),
    ...factsAboutReturns(config),
    ...factsAboutHelp(config),
    ...factsAboutSupport(config),
  }
}

function factsAboutReturns(config: Config): Facts {
  if (claimsOf(config) === 'evidence') {
    return {
      'claims-of-returns': 'This app names no target. The return beside each risk level is a past result, not a promise: you can lose money.',
      'returns-of-levels': 'The returns shown beside the levels are past results, not promises',
    }
  }
  return {
    'claims-of-returns':
      '"Up to 75% Returns" is a target, not a promise: you can lose money. The ranges beside the risk levels (15-25%, 25-50%, 50-75%) are targets too.',
    'returns-of-levels': 'The returns shown beside the levels (15-25%, 25-50%, 50-75%) are targets, not promises',
  }
}

function factsAboutHelp({ AI_PROVIDER }: Config): Facts {
  if (AI_PROVIDER === 'none') {
    return { 'help-wording': 'It quotes these articles word for word, without a language model.', 'help-questions': "We don't store help questions." }
  }
  return {
    'help-wording':
      'A language model words the answers. We check each sentence against the articles; if one fails the check, you see the article instead.',
    'help-questions':
      "We don't store help questions. We send those that our articles can answer to a language model, without your name or your figures.",
  }
}

/** Without an address the articles name none. */
function factsAboutSupport(config: Config): Facts {
  const support = supportOf(config)
  const [contact, toContact] = support === null
    ? ['Ask the person who runs this installation', 'ask the person who runs this installation']
    : [`Contact support at ${support.address}`, `contact support at ${support.address}`]
  return { contact, 'to-contact': toContact }
}

const percentText = (basisPoints: number): string => `${basisPoints / 100}%`
