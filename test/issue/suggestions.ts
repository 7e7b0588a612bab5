/** The law of suggestions: applied, the issue is gone, and the text has no fewer conditions. */
import type { Issue, Suggestion } from '../../src/index.ts'

export const applied = (text: string, { span, insert }: Suggestion): string =>
  text.slice(0, span.start) + insert + text.slice(span.end)

const pairsOf = (text: string): number =>
  text
    .replace(/^\?/, '')
    .split('&')
    .filter((pair) => pair !== '').length

/** What is wrong with the suggestions of a text: nothing, or a line for each. */
export function brokenSuggestions(text: string, issuesOf: (text: string) => readonly Issue[]): readonly string[] {
  const broken: string[] = []
  for (const { code, span, suggestion } of issuesOf(text)) {
    if (suggestion === undefined) continue
    const edited = applied(text, suggestion)
    const grown = edited.length - text.length
    const start = Math.min(span!.start, suggestion.span.start)
    const end = Math.max(span!.end, suggestion.span.end) + grown
    const remains = issuesOf(edited).some(
      (issue) => issue.code === code && issue.span!.start >= start && issue.span!.end <= Math.max(end, start),
    )
    const line = `${JSON.stringify(text)} → ${JSON.stringify(edited)}: ${code}`
    if (remains) broken.push(`${line} remains`)
    if (pairsOf(edited) !== pairsOf(text)) broken.push(`${line}: another number of pairs`)
    if (/[^?&]/.exec(edited) === null) broken.push(`${line}: nothing is left`)
  }
  return broken
}
