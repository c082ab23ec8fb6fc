import { addressKey } from './address.ts'
import { aliasSuffixOf } from './alias-targets.ts'
import { canonicalName, sameName } from './names.ts'
import type { AliasTarget, RecordSet } from './route53.ts'
import { txtKey } from './txt.ts'

/**
 * Whether what is there already is what is wanted, however Route 53 spells it: names in lower case with a trailing
 * dot and octal escapes, values in any order, alias sets without TTL.
 */
export const sameRecordSet = (wanted: RecordSet, there: RecordSet): boolean => {
  if (wanted.type !== there.type || !sameName(wanted.name, there.name)) return false
  if (there.setIdentifier !== undefined) return false
  if (wanted.alias || there.alias) return sameAlias(wanted.alias, there.alias)
  return wanted.ttl === there.ttl && keysOf(wanted) === keysOf(there)
}

const sameAlias = (wanted: AliasTarget | undefined, there: AliasTarget | undefined): boolean => {
  if (!wanted || !there) return false
  // CloudFront takes no health evaluation: what the Go extension sent there, and AWS made of it, is no difference.
  const health =
    aliasSuffixOf(wanted.dnsName)?.health === false ||
    wanted.evaluateTargetHealth === there.evaluateTargetHealth
  return health && wanted.hostedZoneId === there.hostedZoneId && sameName(wanted.dnsName, there.dnsName)
}

const keysOf = ({ type, values = [] }: RecordSet): string =>
  JSON.stringify([...new Set(values.map(value => keyOf(type, value)))].sort())

const keyOf = (type: string, value: string): string => {
  switch (type) {
    case 'A':
    case 'AAAA':
      return addressKey(value)
    case 'CNAME':
      return canonicalName(value)
    case 'TXT':
      return txtKey(value)
    default:
      return value
  }
}
