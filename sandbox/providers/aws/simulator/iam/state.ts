import type { Timestamp } from '../../../../../shared/clock/clock.ts'

/*
 * IAM's state of an account: plain JSON data. Names are unique ignoring case, so the records use `keyOf` for their keys
 * ("IAM and STS quotas", IAM user guide).
 */

export interface IamTag {
  readonly Key: string
  readonly Value: string
}

export interface InlinePolicy {
  readonly name: string
  readonly document: string
}

export interface Role {
  readonly name: string
  readonly id: string
  readonly path: string
  readonly createdAt: Timestamp
  /** The JSON as it was sent. */
  trust: string
  description: string | undefined
  /** Seconds. */
  maxSession: number
  readonly boundary: string | undefined
  readonly tags: IamTag[]
  /** Inline policies as they were sent. */
  policies: readonly InlinePolicy[]
  /** ARNs of managed policies. */
  attached: string[]
}

export interface InstanceProfile {
  readonly name: string
  readonly id: string
  readonly path: string
  readonly createdAt: Timestamp
  /** Name of the role in the profile, if any. */
  role: string | undefined
  readonly tags: IamTag[]
}

export interface IamState {
  readonly roles: Record<string, Role>
  readonly profiles: Record<string, InstanceProfile>
}

export const emptyState = (): IamState => ({ roles: {}, profiles: {} })

/** The key of a name in the state's records. The `@` makes names like `constructor` safe. */
export const keyOf = (name: string): string => `@${name.toLowerCase()}`
