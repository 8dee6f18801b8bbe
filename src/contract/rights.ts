import { z } from 'zod'
import { OBSTACLES } from '#core/auth/closing.ts'
import { Usd } from './wire.ts'

/**
 * Where the copy of the user's data can be downloaded, for five minutes and by this session alone.
 */
export const DataExport = z.strictObject({ path: z.string() })

/** Obstacles to closing the account; it can be closed if there is none. */
export const Closing = z.strictObject({ obstacles: z.array(z.enum(OBSTACLES)), cash: Usd })
export type Closing = z.infer<typeof Closing>

export const DownloadQuery = z.strictObject({ ticket: z.string().max(200) })
