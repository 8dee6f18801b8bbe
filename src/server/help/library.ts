import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Evidence } from '#contract/evidence.ts'
import { parseArticle, type Article, type Facts } from '#core/help/article.ts'
import { GUARD_LIMITS } from '#core/guards/guard-settings.ts'
import { ENGLISH } from '#core/help/english.ts'
import { GERMAN } from '#core/help/german/german.ts'
import type { Tongue } from '#core/help/tongue.ts'
import { tongueFor, understand, type HelpIndex } from '#core/help/understand.ts'
import { BALANCED_DRIFT_POINTS } from '#core/strategy/balanced-share.ts'
import { CANDLES_A_DAY, lookbacksAt } from '#core/strategy/preset.ts'
import { totalCostBps, type TradingCosts } from '#core/trading/costs.ts'
import { LIVE_WITHDRAWAL_HOLD_HOURS } from '#core/withdrawals/hold-reason.ts'
import { PERFORMANCE_FEE_BPS } from '#core/trading/performance-fee.ts'
import { digitsText, moneyText, withPercent } from '#words/figures.ts'
import { amountInWords } from '#words/sentence-text.ts'
import { language, LANGUAGES, type Language } from '#words/language.ts'
import { t } from '#words/words.ts'
import type { Config } from '#server/settings/config.ts'
import type { HelpLibrary } from '#server/ports/help-library.ts'
import { claimsOf, supportOf } from '#server/settings/settings.ts'
import { inLanguage } from '#server/kernel/in-language.ts'
import { holdHours } from '#server/deposits/held-deposits.ts'
import { buildIndex, type Pages } from './help-index.ts'
import { pastFacts } from './past-facts.ts'

const FOLDER = join(import.meta.dirname, '..', '..', '..', 'docs', 'help')

const PLACES: Record<Language, { folder: string; tongue: Tongue }> = {
  en: { folder: FOLDER, tongue: ENGLISH },
  de: { folder: join(FOLDER, 'de'), tongue: GERMAN },
}

/** `evidence`: past results, read when an article is shown. */
type FactSources = { costs: TradingCosts; evidence: () => Evidence }

/**
 * Reads the articles of the reader's language with its first question, then caches them. Indexes
 * are shared by the readers of all languages.
 */
export function openLibrary(config: Config, given: FactSources): () => HelpLibrary {
  const libraries = new Map<Language, HelpLibrary>()
  const indexes = new Map<Language, Promise<HelpIndex>>()
  const indexOf = (name: Language): Promise<HelpIndex> => {
    const building =
      indexes.get(name) ??
      inLanguage(name, () =>
        buildIndex(readPages(name, factsOf(config, given)), PLACES[name].tongue),
      )
    indexes.set(name, building)
    return building
  }
  return () => {
    const name = language()
    const library =
      libraries.get(name) ?? readLibrary(name, { facts: factsOf(config, given), indexOf })
    libraries.set(name, library)
    return library
  }
}

type Building = { facts: Facts; indexOf: (name: Language) => Promise<HelpIndex> }

/**
 * The help for readers of a language. They may ask in another language, whose index is built with
 * the first question that needs it.
 */
function readLibrary(name: Language, { facts, indexOf }: Building): HelpLibrary {
  const own = readPages(name, facts)
  const others = LANGUAGES.filter((other) => other !== name)
  const texts = new Map(
    readTexts(PLACES[name].folder).map((text, which) => [own.articles[which]?.id, text]),
  )
  return {
    ids: own.articles.map(({ id }) => id),
    article: (id) => {
      const text = texts.get(id)
      return text === undefined ? undefined : parseArticle(text, facts)
    },
    outside: new Map(own.outside.map((page) => [page.id, page])),
    indexes: async (message) => {
      const index = await indexOf(name)
      const { tongue } = index
      const isOwn =
        message !== undefined &&
        tongueFor([tongue, ...others.map((other) => PLACES[other].tongue)], message) === tongue
      if (isOwn && understand(index, message).kind !== 'unknown') return [index]
      return [index, ...(await Promise.all(others.map(indexOf)))]
    },
  }
}

/** Pages for an index, without facts that may change. */
function readPages(name: Language, facts: Facts): Pages {
  const { folder } = PLACES[name]
  const lasting = Object.fromEntries(
    Object.entries(facts).map(([fact, value]) => [fact, typeof value === 'string' ? value : '']),
  )
  const read = (from: string): Article[] =>
    readTexts(from).map((text) => parseArticle(text, lasting))
  return { articles: read(folder), outside: read(join(folder, 'outside')) }
}

function readTexts(folder: string): string[] {
  const names = readdirSync(folder).filter((file) => file.endsWith('.md'))
  return names.toSorted().map((file) => readFileSync(join(folder, file), 'utf8'))
}

function listed(words: readonly string[]): string {
  return t('{list} and {last}', { list: words.slice(0, -1).join(', '), last: words.at(-1) ?? '' })
}

/** Facts that articles name, in the reader's words and spelling. */
function factsOf(config: Config, { costs, evidence }: FactSources): Facts {
  const dollars = (whole: number) => moneyText({ amount: String(whole), precision: 'whole' })
  return {
    'password-minimum': String(config.PASSWORD_MINIMUM),
    'deposit-minimum': dollars(config.DEPOSIT_MINIMUM),
    'deposit-maximum': dollars(config.DEPOSIT_MAXIMUM),
    fee: percentText(PERFORMANCE_FEE_BPS),
    'fee-of-100': amountInWords(`$${PERFORMANCE_FEE_BPS / 100}`),
    'trading-fee': percentText(costs.feeBps),
    'half-spread': percentText(costs.halfSpreadBps),
    slippage: percentText(costs.slippageBps),
    'selling-cost': percentText(totalCostBps(costs)),
    'trend-days': listed(lookbacksAt(costs).map((candles) => String(candles / CANDLES_A_DAY))),
    ...factsAboutWaiting(config),
    'card-hold': String(holdHours({ ...config, BOOK: 'live' })),
    'session-days': String(config.SESSION_DAYS),
    'session-idle-days': String(config.SESSION_IDLE_DAYS),
    'stop-loss-most': String(GUARD_LIMITS.stopLossPercent.most),
    'take-profit-most': String(GUARD_LIMITS.takeProfitPercent.most),
    'daily-loss-most': String(GUARD_LIMITS.dailyLossPercent.most),
    'cool-down-most': String(GUARD_LIMITS.coolDownDays.most),
    drift: String(BALANCED_DRIFT_POINTS),
    'hold-fee': factAboutHoldFee(config),
    'cash-yield': factAboutCashYield(config),
    ...factsAboutReturns(config),
    ...pastFacts({ evidence, costs }),
    ...factsAboutHelp(config),
    ...factsAboutSupport(config),
    'mail-way': factAboutMail(config),
  }
}

function factsAboutWaiting({ WITHDRAWAL_HOLD_HOURS: hours }: Config): Facts {
  const changes = t(
    'Such a change is a new bank account, another default account, a new ' +
      'password or a verified email address. A change of your passkeys, ' +
      'authenticator app or recovery codes counts too.',
  )
  const safe = t('The delay keeps a thief from switching a protection off first.')
  if (hours === 0) {
    const none = t('Here, a change of your bank accounts or sign-in does not delay withdrawals.')
    const live = t('With real money, withdrawals would wait {hours} hours.', {
      hours: LIVE_WITHDRAWAL_HOLD_HOURS,
    })
    return {
      'change-wait': `${none} ${live} ${changes}`,
      'looser-wait': `${t('Looser settings apply after your current delay.')} ${safe}`,
    }
  }
  const wait = t(
    'After a change of your bank accounts or sign-in, no withdrawal is sent for {hours} hours.',
    { hours },
  )
  const meanwhile = t('You can request a withdrawal at once, and cancel it until it is sent.')
  const looser = t('Looser settings apply after your current delay, at least {hours} hours.', {
    hours,
  })
  return {
    'change-wait': `${wait} ${meanwhile} ${changes}`,
    'looser-wait': `${looser} ${safe}`,
  }
}

function factAboutHoldFee({ HOLD_FEE_BPS }: Config): string {
  if (HOLD_FEE_BPS === 0) return t('Hold bots pay no fee on their profit.')
  return t('Hold bots pay {percent} of the profit taken out of them as our fee.', {
    percent: percentText(HOLD_FEE_BPS),
  })
}

function factAboutCashYield({ BOOK, CASH_YIELD_BPS, CASH_YIELD_SOURCE: source }: Config): string {
  if (CASH_YIELD_BPS === 0 || source === undefined) return t('Idle cash earns nothing here.')
  const percent = percentText(CASH_YIELD_BPS)
  const from = t('The source is {source}.', { source })
  if (BOOK === 'live')
    return `${t(
      'Cash in the pools of bots earns {percent} a year here. The interest is added each midnight (UTC).',
      { percent },
    )} ${from}`
  const earned = t('Cash in the pools of bots earns {percent} a year here, on paper.', {
    percent,
  })
  return `${earned} ${t('Interest is added each midnight (UTC) of market time.')} ${from}`
}

function factsAboutReturns(config: Config): Facts {
  if (claimsOf(config) === 'evidence') {
    return {
      'claims-of-returns': t(
        'This app names no target. The return beside each risk level is a past result, ' +
          'not a promise: you can lose money.',
      ),
      'returns-of-levels': t('The returns shown beside the levels are past results, not promises'),
    }
  }
  return {
    'claims-of-returns': t(
      '"Up to 75% Returns" is a target, not a promise: you can lose money. The ranges ' +
        'beside the risk levels (15-25%, 25-50%, 50-75%) are targets too.',
    ),
    'returns-of-levels': t(
      'The returns shown beside the levels (15-25%, 25-50%, 50-75%) are targets, not promises',
    ),
  }
}

function factsAboutHelp({ AI_PROVIDER }: Config): Facts {
  if (AI_PROVIDER === 'none') {
    return {
      'help-wording': t('It quotes these articles word for word, without a language model.'),
      'help-questions': t("We don't store help questions."),
    }
  }
  return {
    'help-wording': t(
      'A language model words the answers. We check each sentence against the articles; ' +
        'if one fails the check, you see the article instead.',
    ),
    'help-questions': t(
      "We don't store help questions. We send those that our articles can answer to a " +
        'language model, without your name or your figures.',
    ),
  }
}

/** Whether this installation sends mail, as `openMail` decides. */
function factAboutMail({ BOOK, SMTP_URL }: Config): string {
  if (SMTP_URL !== undefined) return t('Email goes to your verified address only.')
  if (BOOK === 'live') return t('This installation cannot send mail yet.')
  return t(
    'This demo sends no mail: messages are kept in the mailbox on Profile. Its ' +
      'operator can give you a link to a new password.',
  )
}

/** Facts about support; without a support address, articles leave it out. */
function factsAboutSupport(config: Config): Facts {
  const support = supportOf(config)
  if (support === null)
    return {
      contact: t('Ask the person who runs this installation'),
      'to-contact': t('ask the person who runs this installation'),
    }
  const { address } = support
  return {
    contact: t('Contact support at {address}', { address }),
    'to-contact': t('contact support at {address}', { address }),
  }
}

const percentText = (basisPoints: number): string =>
  withPercent(digitsText(String(basisPoints / 100)))
