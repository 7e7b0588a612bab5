/** `urlwhere/live`: which filters select a row, and pages that follow the changes of rows. Re-exports only. */
export { livePage, type LivePage, type PageChange } from './live-page.ts'
export { matcher, transition, type Changes, type Matcher, type Transition } from './matcher.ts'
