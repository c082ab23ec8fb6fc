import type { Timestamp } from '../../../../../shared/clock/clock.ts'
import type { Principal } from '../service.ts'
import { anyText, matchesWildcards } from '../wildcards.ts'

/** A registered access key. Its requests are verified. */
export interface Key {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
  readonly principal: Principal
  /** Patterns of the allowed actions: `route53:*`, `route53:List*`, `*`. */
  readonly allow: readonly string[]
  readonly expires?: Timestamp
}

/** The access keys that the simulator knows. */
export interface KeyRing {
  add(key: Key): void
  remove(accessKeyId: string): void
  find(accessKeyId: string): Key | undefined
}

export const createKeyRing = (): KeyRing => {
  const keys = new Map<string, Key>()
  return {
    add: key => void keys.set(key.accessKeyId, key),
    remove: accessKeyId => void keys.delete(accessKeyId),
    find: accessKeyId => keys.get(accessKeyId),
  }
}

/** Returns true if an action matches one of the patterns. `*` matches any text, and case is ignored, as in IAM. */
export const isAllowed = (action: string, patterns: readonly string[]): boolean =>
  patterns.some(pattern =>
    matchesWildcards(
      pattern
        .toLowerCase()
        .split('')
        .map(unit => (unit === '*' ? anyText : unit)),
      action.toLowerCase(),
    ),
  )
