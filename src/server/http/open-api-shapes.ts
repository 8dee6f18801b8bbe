import { z } from 'zod'
import * as auth from '#contract/auth.ts'
import * as backtest from '#contract/backtest.ts'
import * as bots from '#contract/bots.ts'
import * as bundle from '#contract/bundle.ts'
import * as calls from '#contract/calls.ts'
import * as comparison from '#contract/comparison.ts'
import * as config from '#contract/config.ts'
import * as deposits from '#contract/deposits.ts'
import * as evidence from '#contract/evidence.ts'
import * as factors from '#contract/factors.ts'
import * as forecasts from '#contract/forecasts.ts'
import * as guards from '#contract/guards.ts'
import * as help from '#contract/help.ts'
import * as holdings from '#contract/holdings.ts'
import * as market from '#contract/market.ts'
import * as notices from '#contract/notices.ts'
import * as trackRecord from '#contract/track-record.ts'
import * as transactions from '#contract/transactions.ts'
import * as wallets from '#contract/wallets.ts'
import * as wire from '#contract/wire.ts'
import * as withdrawals from '#contract/withdrawals.ts'

/** The contract's shapes by their names, which the description uses too. */
const NAMED: Record<string, unknown> = {
  ...auth,
  ...backtest,
  ...bots,
  ...bundle,
  ...comparison,
  ...config,
  ...deposits,
  ...evidence,
  ...factors,
  ...forecasts,
  ...guards,
  ...help,
  ...holdings,
  ...market,
  ...notices,
  ...calls,
  ...trackRecord,
  ...transactions,
  ...wallets,
  ...wire,
  ...withdrawals,
}

const EXAMPLES: Record<string, string> = {
  Usd: '20.00',
  Decimal: '0.05',
  Percent: '-0.62',
  Timestamp: '2026-01-31T12:00:00.000Z',
  Day: '2026-01-31',
  Id: '0197f000-0000-7000-8000-000000000001',
}

export type JsonSchema = z.core.JSONSchema.BaseSchema

/**
 * Shapes in JSON Schema, which refer to each other by name. Bodies and queries are as sent, before
 * defaults; answers have no defaults.
 */
export function openShapes(unnamed: readonly z.ZodType[]) {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(NAMED))
    if (schema instanceof z.ZodType) registry.add(schema, { id })
  const others = unnamed.filter((schema) => !registry.has(schema))
  for (const [index, schema] of others.entries()) registry.add(schema, { id: `${index}` })
  const { schemas } = z.toJSONSchema(registry, {
    io: 'input',
    unrepresentable: 'any',
    uri: (id) => `#/components/schemas/${id}`,
  })
  const shapeOf = (schema: z.ZodType): JsonSchema => plain(schemas[idOf(schema)])
  const idOf = (schema: z.ZodType): string => registry.get(schema)?.id ?? ''
  return {
    shapeOf,
    /** A reference if the shape has a name, otherwise the shape itself. */
    refOf: (schema: z.ZodType): JsonSchema =>
      idOf(schema) in NAMED ? { $ref: `#/components/schemas/${idOf(schema)}` } : shapeOf(schema),
    /** The named shapes to which a part of the description refers, directly or through others. */
    usedBy: (part: unknown): Record<string, JsonSchema> => {
      const found: Record<string, JsonSchema> = {}
      const visit = (value: unknown): void => {
        for (const [, id = ''] of JSON.stringify(value).matchAll(
          /"#\/components\/schemas\/(\w+)"/g,
        )) {
          if (id in found) continue
          const example = EXAMPLES[id]
          found[id] = { ...plain(schemas[id]), ...(example && { examples: [example] }) }
          visit(found[id])
        }
      }
      visit(part)
      return found
    },
  }
}

/** A shape without the fields that belong only to a whole document. */
function plain({ $schema: _schema, $id: _id, ...shape }: JsonSchema = {}): JsonSchema {
  return shape
}
