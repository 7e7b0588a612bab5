/** Fills the templates of answers with values. */
import { own } from '../../own.ts'
import type { AnswerValues, NotedAnswer } from '../../reading/index.ts'
import type { AnswerTables, Template } from './tables.ts'

/** Replaces `@name` by its value. A string that is a whole name becomes the value itself; a name in a longer string becomes text. */
function fill(template: Template, values: AnswerValues): unknown {
  if (typeof template === 'string') {
    if (/^@\w+$/.test(template)) return own(values, template.slice(1))
    return template.replace(/@(\w+)/g, (_, name: string) => String(own(values, name) ?? ''))
  }
  if (typeof template !== 'object' || template === null) return template
  return Object.fromEntries(Object.entries(template).map(([name, one]) => [name, fill(one, values)]))
}

export function filled({ body, item, unpaged, headers = {} }: AnswerTables, values: AnswerValues): NotedAnswer {
  const answers = values['items'] as readonly AnswerValues[]
  const items = answers.map((one) => fill(item ?? '@row', { ...values, ...one }))
  return {
    body: fill(own(values, 'isPaged') === false ? (unpaged ?? body) : body, { ...values, items, item: items[0] }),
    headers: Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, String(fill(text, values))])),
  }
}
