import { kinds } from '../../shared/contract/kinds.ts'

/** The kinds that plans are made for, and the type of their functions. */
export const plannedKinds = {
  Infrastructure: { ...kinds.Infrastructure, type: 'aws' },
  DNSRecord: { ...kinds.DNSRecord, type: 'aws-route53' },
} as const

export type PlannedKind = keyof typeof plannedKinds

export const plannedKindNames = Object.keys(plannedKinds) as readonly PlannedKind[]
