import { dnsRecords } from '../start-world.ts'

/** The function whose variants are measured. */
export const measuredFunction = {
  service: 'aws-dnsrecord',
  kind: dnsRecords,
  // Route 53 allows five requests a second per account; the benchmarks measure the process, not the wait.
  settings: { TRELLIS_CLIENT_QPS: '1000', TRELLIS_CLIENT_BURST: '1000' },
} as const
