/**
 * A comment, a string, a quoted body such as that of a function, the end of a statement, or
 * anything else.
 */
const TOKENS = /--[^\n]*|'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\1\$|;|[\s\S]/g

/**
 * The statements of `text`, without comments. Supports only the syntax of our migrations: no
 * comments in asterisks, no escapes in strings.
 */
export function splitStatements(text: string): string[] {
  const statements: string[] = []
  let statement = ''
  for (const [token] of text.matchAll(TOKENS)) {
    if (token !== ';') statement += token.startsWith('--') ? '' : token
    else {
      statements.push(statement.trim())
      statement = ''
    }
  }
  return [...statements, statement.trim()].filter((one) => one !== '')
}
