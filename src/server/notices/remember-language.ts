import { language } from '#words/language.ts'
import type { Queries } from '#server/db/statement.ts'

/**
 * Messages are written later, while nobody is asking: in the language in which their user last
 * signed in or read notices.
 */
export async function rememberLanguage(sql: Queries, userId: string): Promise<void> {
  await sql`update users set language = ${language()} where id = ${userId}
    and language <> ${language()}`
}
