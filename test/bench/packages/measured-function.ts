import { dnsRecords } from '../start-world.ts'

/** The function whose variants are measured. */
export const measuredFunction = {
  service: 'aws-dnsrecord',
  kind: dnsRecords,
} as const
