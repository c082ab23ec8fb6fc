import { addressKey } from './address.ts'
import { aliasSuffixOf } from './alias-targets.ts'
import type { RecordSet } from './route53.ts'
import { txtKey, txtValue } from './txt.ts'

/** Which address families an alias answers for. */
export type IpStack = 'ipv4' | 'ipv6' | 'dual-stack'

/** What a DNSRecord asks for. */
export interface DesiredRecord {
  /** The fully qualified domain name. */
  readonly name: string
  readonly type: 'A' | 'AAAA' | 'CNAME' | 'TXT'
  readonly values: readonly string[]
  /** Seconds. */
  readonly ttl: number
  readonly ipStack: IpStack
}

/**
 * The record sets that a wish stands for (docs/contract/provider-aws.md#record-sets): one with all the values; for a
 * CNAME one with the first value only, or, when that is an AWS endpoint with a known suffix, alias sets of the wished
 * families. Values that mean the same are given once, because Route 53 refuses duplicates.
 */
export const desiredRecordSets = (record: DesiredRecord): readonly RecordSet[] => {
  const { name, type, values, ttl } = record
  switch (type) {
    case 'A':
    case 'AAAA':
      return [{ name, type, ttl, values: once(values, addressKey) }]
    case 'TXT':
      return [{ name, type, ttl, values: once(values.map(txtValue), txtKey) }]
    case 'CNAME': {
      const [target] = values
      if (target === undefined) return []
      const suffix = aliasSuffixOf(target)
      if (suffix === undefined) return [{ name, type, ttl, values: [target] }]
      const alias = {
        dnsName: target,
        hostedZoneId: suffix.hostedZoneId,
        evaluateTargetHealth: suffix.health,
      }
      return families[record.ipStack].map(family => ({ name, type: family, alias }))
    }
  }
}

const families: Readonly<Record<IpStack, readonly string[]>> = {
  ipv4: ['A'],
  ipv6: ['AAAA'],
  'dual-stack': ['A', 'AAAA'],
}

const once = (values: readonly string[], key: (value: string) => string): string[] => [
  ...new Map(values.map(value => [key(value), value])).values(),
]
