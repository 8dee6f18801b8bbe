import { expect, test } from 'vitest'
import { html } from './html.ts'

test('texts are escaped, HTML is not, and lists are joined', () => {
  const name = `<script>alert("1")</script> & 'co'`
  expect(html`<p title="${name}">${name}</p>`.text).toBe(
    '<p title="&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; ' +
      '&#39;co&#39;">&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;co&#39;</p>',
  )
  expect(html`<ul>${[1, 2].map((number) => html`<li>${number}</li>`)}</ul>${undefined}`.text).toBe(
    '<ul><li>1</li><li>2</li></ul>',
  )
})
