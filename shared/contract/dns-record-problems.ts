import * as z from 'zod'
import { type Problem, shown } from '../decode/problems.ts'
import type { DNSRecord } from './schemas/dns-record.ts'

/** Maximum of `spec.ttl` in seconds: 2^31 - 1, as in RFC 2181, section 8. */
const longestTtl = 2_147_483_647

const ipv4 = z.ipv4()
const ipv6 = z.ipv6()

/**
 * Returns the problems of a record that the API server accepts but no DNS provider supports
 * (docs/contract/kinds.md#dnsrecord): the admission rules, and the address family of A and AAAA values, which admission
 * leaves to the backend.
 */
export const dnsRecordProblems = ({ spec }: Pick<DNSRecord, 'spec'>): readonly Problem[] => [
  ...nameProblems(spec),
  ...(spec.zone === ''
    ? [{ path: 'spec.zone', message: 'expected the id of a zone, found an empty string' }]
    : []),
  ...valueProblems(spec),
  ...ttlProblems(spec),
]

type Spec = DNSRecord['spec']

const nameProblems = ({ name, recordType }: Spec): readonly Problem[] => {
  const bare = recordType === 'TXT' ? name.replace(/^(_|\*\.)/, '') : name.replace(/^\*\./, '')
  return isDomainName(bare, hostLabel)
    ? []
    : [{ path: 'spec.name', message: `expected a domain name, found ${shown(name)}` }]
}

const valueProblems = ({ recordType, values }: Spec): readonly Problem[] => {
  if (values.length === 0)
    return [{ path: 'spec.values', message: 'expected at least one value, found none' }]
  if (recordType === 'CNAME' && values.length !== 1) {
    const message = `expected exactly one value for a CNAME record, found ${values.length}`
    return [{ path: 'spec.values', message }]
  }
  const rule = valueRules[recordType]
  return values.flatMap((value, index) =>
    rule.holds(value)
      ? []
      : [
          {
            path: `spec.values[${index}]`,
            message: `expected ${rule.expected}, found ${shown(value)}`,
          },
        ],
  )
}

const valueRules: Readonly<
  Record<Spec['recordType'], { readonly expected: string; readonly holds: (value: string) => boolean }>
> = {
  A: { expected: 'an IPv4 address', holds: value => ipv4.safeParse(value).success },
  AAAA: { expected: 'an IPv6 address', holds: value => ipv6.safeParse(value).success },
  CNAME: {
    expected: 'a fully qualified domain name',
    holds: value => {
      const name = value.replace(/\.$/, '')
      return name.includes('.') && isDomainName(name, targetLabel)
    },
  },
  TXT: { expected: 'a text that is not empty', holds: value => value !== '' },
}

const ttlProblems = ({ ttl }: Spec): readonly Problem[] =>
  ttl === undefined || (ttl >= 0 && ttl <= longestTtl)
    ? []
    : [{ path: 'spec.ttl', message: `expected 0 to ${longestTtl} seconds, found ${ttl}` }]

/** DNS-1123 in any case: DNS ignores case. */
const hostLabel = /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/i

/** Also underscores, which the targets of validation records have. */
const targetLabel = /^[a-z0-9_]([-a-z0-9_]{0,61}[a-z0-9_])?$/i

const isDomainName = (name: string, label: RegExp): boolean =>
  name.length <= 253 && name.split('.').every(part => label.test(part))
