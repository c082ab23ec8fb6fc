import type { Timestamp } from '../../../../../shared/clock/clock.ts'

/*
 * What IAM keeps of an account: plain JSON data. Names are unique whatever their case, so the records are
 * kept by `keyOf` ("IAM and STS quotas", IAM user guide).
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
  /** As it was given, JSON. */
  trust: string
  description: string | undefined
  /** Seconds. */
  maxSession: number
  readonly boundary: string | undefined
  tags: IamTag[]
  /** Inline policies, as they were given. */
  policies: readonly InlinePolicy[]
  /** ARNs of managed policies. */
  attached: string[]
}

export interface InstanceProfile {
  readonly name: string
  readonly id: string
  readonly path: string
  readonly createdAt: Timestamp
  /** Name of the role in it, if any. */
  role: string | undefined
  tags: IamTag[]
}

export interface ManagedPolicy {
  readonly name: string
  readonly id: string
  readonly path: string
  readonly arn: string
  readonly createdAt: Timestamp
  readonly document: string
  readonly description: string | undefined
  tags: IamTag[]
}

export interface IamState {
  readonly roles: Record<string, Role>
  readonly profiles: Record<string, InstanceProfile>
  readonly policies: Record<string, ManagedPolicy>
}

export const emptyState = (): IamState => ({ roles: {}, profiles: {}, policies: {} })

/** The key of a name in the state's records; the sign keeps names like `constructor` from being special. */
export const keyOf = (name: string): string => `@${name.toLowerCase()}`
