import { annotations, defaultRecordTtlSeconds } from '../../../shared/contract/constants.ts'
import type { DNSRecord } from '../../../shared/contract/schemas/dns-record.ts'
import type { DesiredRecord, IpStack } from '../../../terraform-free-infra/aws/dns/record-set.ts'

/** What a DNSRecord asks Route 53 for. */
export const desiredRecord = ({ metadata, spec }: DNSRecord): DesiredRecord => ({
  name: spec.name,
  type: spec.recordType,
  values: spec.values,
  ttl: spec.ttl ?? defaultRecordTtlSeconds,
  ipStack: ipStackOf(metadata.annotations?.[annotations.ipStack]),
})

/** Anything but the two other stacks means IPv4, as in the Go extension. */
const ipStackOf = (annotation: string | undefined): IpStack =>
  annotation === 'ipv6' || annotation === 'dual-stack' ? annotation : 'ipv4'
