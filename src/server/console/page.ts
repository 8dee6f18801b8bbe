import { mayDo, type Duty } from '#core/operators/role.ts'
import type { Operator } from '#server/operators/operator.ts'
import { html, type Html } from '#server/kernel/html.ts'

export const PLACES = {
  withdrawals: ['Withdrawals', 'read payouts'],
  users: ['Users', 'read users'],
  audit: ['Audit trail', 'read the audit trail'],
} as const satisfies Record<string, [string, Duty]>

export type Place = keyof typeof PLACES

type Viewer = { operator: Operator; formToken: string }

type Page = { title: string; viewer?: Viewer | undefined; place?: Place; body: Html }

/** Works without scripts. */
export function pageOf({ title, viewer, place, body }: Page): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Operators</title>
<link rel="stylesheet" href="/style.css">
</head>
<body>
${viewer && headerOf(viewer, place)}
<main>
<h1>${title}</h1>
${body}
</main>
</body>
</html>`
  return page.text
}

function headerOf({ operator, formToken }: Viewer, place: Place | undefined): Html {
  const shown = (Object.keys(PLACES) as Place[]).filter((name) =>
    mayDo(operator.roles, PLACES[name][1]),
  )
  const links = shown.map(
    (name) =>
      html`<a href="/${name}"${
        name === place && html` aria-current="page"`
      }>${PLACES[name][0]}</a>`,
  )
  return html`<header>
<nav aria-label="Pages">${links}</nav>
<form class="line" method="post" action="/sign-out">${tokenField(formToken)}<span
class="quiet">${operator.name}, ${operator.roles.join(', ')}</span><button
class="second">Sign out</button></form>
</header>`
}

const tokenField = (formToken: string): Html =>
  html`<input type="hidden" name="token" value="${formToken}">`

type Button = {
  action: string
  label: string
  formToken: string
  isSecond?: boolean
  field?: { name: string; label: string; isRequired: boolean }
}

/** A form with one button and at most one field. */
export function actionForm({ action, label, formToken, isSecond = false, field }: Button): Html {
  const input =
    field &&
    html`<label>${field.label}<input name="${field.name}" autocomplete="off"${
      field.isRequired && html` required`
    }></label>`
  return html`<form method="post" action="${action}">${tokenField(formToken)}${input}<button${
    isSecond && html` class="second"`
  }>${label}</button></form>`
}

export const factsOf = (facts: readonly (readonly [string, string])[]): Html =>
  html`<dl>${facts.map(
    ([name, value]) => html`<div><dt>${name}</dt><dd>${factOf(value)}</dd></div>`,
  )}</dl>`

/** Monospaced, so that wide letters also fit a phone's line. */
const factOf = (value: string): Html | string =>
  /^[\w:-]{16,}$/.test(value) ? html`<code>${value}</code>` : value
