import fastify from 'fastify'
import { openDatabase } from '#server/db/open.ts'

/**
 * The baseline of the benches api and start: bare Fastify with one route, one prepared SELECT on
 * DATABASE_URL, and no checks.
 */

const sql = await openDatabase(process.env['DATABASE_URL'] ?? '')
const app = fastify()
app.get('/users/:id', async (request) => {
  const { id } = request.params as { id: string }
  const [user] = await sql`select id, username, first_name, last_name from users where id = ${id}`
  return user ?? {}
})
process.on('SIGTERM', () => void app.close().then(() => sql.end()))
await app.listen({ host: '127.0.0.1', port: Number(process.env['PORT']) })
