import type { ErrorCode } from '../../shared/contract/constants.ts'
import { operationPrefix } from '../../shared/text/cause-of.ts'
import { adviceWithoutCode, codeAdvice } from '../../shared/text/code-advice.ts'

/** Codes that explain others of the same error: the credentials are replaced first, whatever else they cause. */
const explains: Readonly<Partial<Record<ErrorCode, readonly ErrorCode[]>>> = {
  ERR_INFRA_UNAUTHENTICATED: ['ERR_INFRA_UNAUTHORIZED', 'ERR_CONFIGURATION_PROBLEM'],
  ERR_INFRA_UNAUTHORIZED: ['ERR_CONFIGURATION_PROBLEM'],
  ERR_CONFIGURATION_PROBLEM: ['ERR_RETRYABLE_CONFIGURATION_PROBLEM'],
  ERR_INFRA_DEPENDENCIES: ['ERR_RETRYABLE_INFRA_DEPENDENCIES'],
}

/** The Secret of `spec.secretRef`: gardenlet writes it, so no field of the object is wrong. */
const missingSecret = /cannot read the Secret (\S+) of spec\.secretRef: not found/
const missingPermission = /\b(?:forbidden|may not|403)\b/i

/** Returns true if the text says that a permission in the seed is missing. */
export const isMissingPermission = (text: string): boolean => missingPermission.test(text)

/** A login that was refused: some clouds answer it as if a permission were missing. */
const login = /\b(?:requires authentication|invalid credentials|wrong password)\b/i
/** The cloud itself fails: it has answered, and not refused. */
const cloudFails =
  /\b(?:service unavailable|internal server error|bad gateway|gateway time-?out|HTTP status 5\d\d)\b/i
const network =
  /\b(?:ECONNREFUSED|ECONNRESET|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|fetch failed|timed out|no answer)\b/

export interface ErrorToFix {
  readonly text: string
  readonly codes: readonly string[]
}

/** Returns who has to act on an error, and the action, by its cause: first what its text proves, then its codes. */
export const adviceOf = ({ text, codes }: ErrorToFix): string => {
  const secret = missingSecret.exec(text)?.[1]
  if (secret !== undefined)
    return `gardenlet writes the Secret ${secret}: the operator looks at its log and at the credentials of the Shoot; it is retried until the Secret exists`
  const read = codes.filter((code): code is ErrorCode => Object.hasOwn(codeAdvice, code))
  const known = login.test(text)
    ? read.map(code => (code === 'ERR_INFRA_UNAUTHORIZED' ? 'ERR_INFRA_UNAUTHENTICATED' : code))
    : read
  const explained = new Set(known.flatMap(code => explains[code] ?? []))
  const fixes = [...new Set(known.filter(code => !explained.has(code)).map(code => codeAdvice[code].fix))]
  const actions = fixes.filter(fix => !fix.startsWith('no action'))
  if (fixes.length > 0) return (actions.length > 0 ? actions : fixes).join('; ')
  if (isMissingPermission(text))
    return 'the operator grants the permission that the message names; trellis doctor lists those that are missing'
  if (cloudFails.test(text))
    return 'the cloud fails, which its operator has to look at; it is retried with backoff until it answers'
  return network.test(text)
    ? 'the operator checks the way from the seed to the address in the message; it is retried with backoff until it answers'
    : adviceWithoutCode
}

/**
 * Returns the causes in the text of an error, each once. The text of several failed actions repeats the operation
 * before each of them.
 */
export const causesIn = (text: string): readonly string[] => {
  const lines = text
    .split('\n')
    .map(line => line.replace(/^[\s*•-]+/, '').trim())
    .filter(line => line !== '')
  const prefix = operationPrefix.exec(lines[0] ?? '')?.[0] ?? ''
  const [first = '', ...others] = lines
  const isPrefix = (line: string) => prefix !== '' && line.toLowerCase().startsWith(prefix.toLowerCase())
  const shortened = others.map(line => (isPrefix(line) ? line.slice(prefix.length) : line))
  const rest = first.slice(prefix.length)
  // The first action may repeat it as well.
  const head = isPrefix(rest) ? `${prefix}${rest.slice(prefix.length)}` : first
  return [head, ...new Set(shortened.filter(line => line !== rest && line !== head))]
}
