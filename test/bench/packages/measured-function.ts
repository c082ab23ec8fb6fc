import { dnsRecords } from '../start/started-kinds.ts'

/** The function whose variants are measured. */
export const measuredFunction = {
  service: 'aws-dnsrecord',
  kind: dnsRecords,
} as const
