import { readAudit } from '#server/operators/read-audit.ts'
import { html, type Html } from '#server/html.ts'
import { factsOf } from './page.ts'
import type { Visit } from './session.ts'
import { timeText } from './withdrawals-page.ts'

/** The newest events, or those of one subject. */
export async function auditPage({ context }: Visit, subject: string): Promise<Html> {
  const rows = await readAudit(context, subject === '' ? undefined : subject)
  const list = rows.map(
    (row) => html`<li class="card">
<div class="line"><h2>${row.action}</h2><span class="quiet">${timeText(row.createdAt)}</span></div>
${factsOf([['By', row.actor], ['About', row.subject], ...Object.entries(row.details)])}
</li>`,
  )
  return html`<form class="narrow" method="get" action="/audit"><label>Subject: an id or a name<input name="subject" value="${subject}" autocomplete="off"></label><button>Show</button></form>
<p class="quiet">The newest ${rows.length} events.</p>
<ul>${list}</ul>`
}
