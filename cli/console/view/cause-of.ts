import type { ObjectKey } from '../../../shared/kubernetes/kubernetes.ts'
import { withoutNames } from '../../../shared/text/without-names.ts'

/** In characters: more does not tell two causes apart. */
const longestCause = 300

/** Times and durations, of which each attempt has its own. */
const times =
  /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z?|\b\d\d:\d\d:\d\dZ?|\b\d{1,6}(?:\.\d{1,3})? ?(?:ms|s|min|m|h|d)\b/g

/** Returns the cause in the text of an error: its first line without names, ids and times. */
export const causeOf = (text: string, object: ObjectKey): string => {
  const [line = ''] = text.split('\n')
  return withoutNames(line.slice(0, longestCause), object).replace(times, '‹time›')
}
