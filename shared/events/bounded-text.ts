import { createHash } from 'node:crypto'
import { longestRemembered } from '../contract/step-annotation.ts'

/**
 * A text that others wrote, as it may be remembered in an annotation: itself, or its SHA-256 where it is longer than
 * `longestRemembered`. Equal for equal texts, and for no others that anybody can find.
 */
export const boundedText = (text: string): string =>
  text.length <= longestRemembered ? text : `sha256:${createHash('sha256').update(text).digest('hex')}`
