import type { ResourceRecordSet, VPC } from '@aws-sdk/client-route-53'
import type { Timestamp } from '../../../../../shared/clock/clock.ts'

/** A hosted zone. Plain JSON data, like all state of the simulator. */
export interface Zone {
  /** Without the `/hostedzone/` prefix. */
  readonly id: string
  /** In the form that Route 53 returns: lower case, octal escapes, trailing dot. */
  readonly name: string
  readonly callerReference: string
  comment: string | undefined
  readonly private: boolean
  readonly vpcs: VPC[]
  readonly nameServers: readonly string[]
  /** In the order of ListResourceRecordSets. A change batch replaces the whole list and never edits it. */
  recordSets: readonly StoredRecordSet[]
}

/** A record set as it is stored and returned: canonical name and canonical alias target. */
export type StoredRecordSet = ResourceRecordSet & { readonly Name: string; readonly Type: string }

export interface SubmittedChange {
  /** Without the `/change/` prefix. */
  readonly id: string
  readonly submittedAt: Timestamp
  readonly comment: string | undefined
}

export interface Route53State {
  /** In order of creation. */
  zones: Zone[]
  readonly changes: Record<string, SubmittedChange>
  /** Caller references are never free again, even after their zone is deleted. */
  readonly callerReferences: Record<string, true>
}

export const emptyState = (): Route53State => ({ zones: [], changes: {}, callerReferences: {} })
