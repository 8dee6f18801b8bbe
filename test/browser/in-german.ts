import type { Locator, Page } from 'playwright-core'
import german from '#words/de.json' with { type: 'json' }
import { englishText } from '#words/words.ts'

type Name = string | RegExp

const catalog = Object.entries(german as Record<string, string | Record<string, string>>)

/** Ways to find an element by its words. */
const FINDERS = new Set(['getByRole', 'getByLabel', 'getByText', 'getByPlaceholder'])
const LOCATORS = new Set(['first', 'last', 'nth', 'filter', 'locator', 'and', 'or'])

/** A page of the German app for steps that are written with the English names. */
export function inGerman<Found extends Page | Locator>(found: Found): Found {
  return new Proxy(found, {
    get: (target, property) => {
      const value: unknown = Reflect.get(target, property, target)
      if (typeof value !== 'function') return value
      const call = (...given: unknown[]): unknown => Reflect.apply(value, target, given)
      if (LOCATORS.has(String(property)))
        return (...given: unknown[]) => inGerman(call(...given) as Locator)
      if (!FINDERS.has(String(property))) return call
      return (...given: unknown[]) => inGerman(call(...given.map(translatedArgument)) as Locator)
    },
  })
}

/**
 * Translates a name, or options with a name. A role is unchanged, because no message is a single
 * lower-case word.
 */
function translatedArgument(given: unknown): unknown {
  if (typeof given === 'string' || given instanceof RegExp) return germanOf(given)
  if (typeof given === 'object' && given !== null && 'name' in given)
    return { ...given, name: germanOf(given.name as Name) }
  return given
}

/** The German words for `name`: a translation, a figure in German spelling, or else the same. */
export function germanOf(name: Name): Name {
  if (name instanceof RegExp) return germanPattern(name)
  const [exact, ...others] = catalog
    .filter(([message]) => englishText(message) === name)
    .map(([, text]) => textOf(text))
  // If the English text has two meanings, the screen shows either of them.
  if (others.length > 0)
    return new RegExp(`^(${[exact, ...others].map((text) => escaped(text ?? '')).join('|')})$`)
  if (exact !== undefined) return exact
  for (const [message, text] of catalog) {
    const values = valuesOf(message, name)
    if (values !== undefined)
      return textOf(text).replaceAll(/\{(\w+)\}/g, (_slot, key: string) =>
        figure(values[key] ?? ''),
      )
  }
  for (const [message, text] of catalog) {
    const translated = partOf(message, textOf(text), name)
    if (translated !== undefined) return translated
  }
  return figure(name)
}

/**
 * Translates a pattern by the messages in which it occurs. If a pattern names the bot, its
 * translation does too.
 */
function germanPattern(pattern: RegExp): RegExp {
  const texts = catalog.flatMap(([message, text]) => {
    const value = ['', '$1', BOT].find((one) => pattern.test(sample(message, one)))
    const filling = value === BOT ? `${BOT}.*` : '.*'
    return value === undefined
      ? []
      : [
          escaped(textOf(text))
            .replaceAll(/\\\{\w+\\\}/g, filling)
            .replaceAll(/<\/?\w+>/g, ''),
        ]
  })
  return texts.length === 0
    ? pattern
    : new RegExp(`${pattern.source}|^(${texts.join('|')})`, pattern.flags)
}

/** Start of the name of the bot in all states. */
const BOT = 'Steady'

const textOf = (text: string | Record<string, string>): string =>
  typeof text === 'string' ? text : (text['other'] ?? '')
const sample = (message: string, value: string): string => message.replaceAll(/\{\w+\}/g, value)
const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** The translation of a part of a message: of the content of a tag, or of a sentence. */
function partOf(message: string, translation: string, part: string): string | undefined {
  const [, tag] = new RegExp(`<(\\w+)>${escaped(part)}</`).exec(message) ?? []
  if (tag !== undefined) return new RegExp(`<${tag}>(.*?)</`).exec(translation)?.[1]
  const sentences = message.split(SENTENCE_END)
  return sentences.length > 1 ? translation.split(SENTENCE_END)[sentences.indexOf(part)] : undefined
}

const SENTENCE_END = /(?<=[.?!]) (?=[A-ZÄÖÜ<])/

/** The values with which `message` gives `text`. */
function valuesOf(message: string, text: string): Record<string, string> | undefined {
  if (!/\{\w+\}/.test(message) || !/[a-z]{3}/.test(message.replaceAll(/\{\w+\}/g, '')))
    return undefined
  const pattern = escaped(message).replaceAll(/\\\{(\w+)\\\}/g, '(?<$1>.+)')
  return new RegExp(`^${pattern}$`).exec(text)?.groups
}

/** '$1,234.50' as '1.234,50 $' and '25%' as '25 %', with spaces that do not break. */
function figure(text: string): string {
  const [, sign = '', digits] = /^([\u2212+]?)\$([\d,]+(?:\.\d+)?)$/.exec(text) ?? []
  if (digits !== undefined)
    return `${sign}${digits.replaceAll(/[.,]/g, (mark) => (mark === ',' ? '.' : ','))}\u00a0$`
  return text.replace(/^(\d+)%$/, '$1\u00a0%')
}
