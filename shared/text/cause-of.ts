import { withoutDetails } from './without-names.ts'

/** In characters: more does not tell two causes apart. */
const longestCause = 300
/** In characters. Names are replaced before the cut, because longer ones move it. */
const mostSearched = 4 * longestCause

/** `Error reconciling infrastructure: ` */
export const operationPrefix = /^(?:error|failed) [a-z]+ing [^:]{1,60}: /i

/** Times and durations, of which each attempt has its own. */
const times =
  /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z?|\b\d\d:\d\d:\d\dZ?|\b\d{1,6}(?:\.\d{1,3})? ?(?:ms|s|min|m|h|d)\b/g

/** Returns the cause in the text of an error, equal for all objects that fail alike: without names, ids and times. */
export const causeOf = (text: string, object: Parameters<typeof withoutDetails>[1]): string =>
  withoutDetails(
    text
      .replace(operationPrefix, '')
      .replace(/\s{1,20}/g, ' ')
      .slice(0, mostSearched),
    object,
  )
    .replace(times, '‹time›')
    .slice(0, longestCause)
