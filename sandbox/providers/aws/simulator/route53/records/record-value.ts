import { isIPv4, isIPv6 } from 'node:net'
import { canonicalName, fatal, isProblem, type NameProblem, parseName } from '../name.ts'

/**
 * Returns the problem with a record value in Route 53's words, or undefined. The texts are those that users quote from
 * Route 53: `ARRDATAIllegalIPv4Address`, `InvalidCharacterString`, `CharacterStringTooLong`, `ARRDATANotSingleField`.
 */
type Check = (value: string) => NameProblem | undefined

const problem = (kind: string, reason: string, subject: string): NameProblem => ({
  problem: kind,
  reason,
  subject,
})

const ipv4: Check = value => {
  if (/\s/.test(value)) return problem('ARRDATANotSingleField', 'Value contains spaces', value)
  return isIPv4(value)
    ? undefined
    : problem('ARRDATAIllegalIPv4Address', 'Value is not a valid IPv4 address', value)
}

const ipv6: Check = value => {
  if (/\s/.test(value)) return problem('AAAARRDATANotSingleField', 'Value contains spaces', value)
  return isIPv6(value) && !value.includes('%')
    ? undefined
    : problem('AAAARRDATAIllegalIPv6Address', 'Value is not a valid IPv6 address', value)
}

const domainName: Check = value => {
  if (/\s/.test(value)) return problem('RRDATANotSingleField', 'Value contains spaces', value)
  const parsed = parseName(value)
  return isProblem(parsed) ? parsed : undefined
}

/** `"one" "two"`: quoted strings of up to 255 octets. Quotes and backslashes inside are escaped. */
const quotedStrings: Check = value => {
  const strings = value.trim().match(/"(?:[^"\\]|\\.)*"|[^\s"]+|"/g) ?? []
  if (strings.length === 0 || strings.some(text => !/^"(?:[^"\\]|\\.)*"$/.test(text))) {
    return problem('InvalidCharacterString', 'Value should be enclosed in quotation marks', value)
  }
  const long = strings.some(
    text => Buffer.byteLength(text.slice(1, -1).replace(/\\(\d{3}|.)/g, 'x'), 'utf8') > 255,
  )
  return long ? problem('CharacterStringTooLong', 'Value is too long', value) : undefined
}

/** Checks a value with several fields: numbers first, then the rest. */
const fields =
  (kind: string, numbers: number, rest: Check): Check =>
  value => {
    const parts = value.trim().split(/\s+/)
    const leading = parts.slice(0, numbers)
    if (parts.length <= numbers || leading.some(part => !/^\d{1,10}$/.test(part))) {
      return problem(`${kind}RRDATAIncorrectNumberOfFields`, 'Incorrect number of fields', value)
    }
    return rest(parts.slice(numbers).join(' '))
  }

const caa: Check = value =>
  /^\d{1,3}\s+[a-zA-Z0-9]+\s+"(?:[^"\\]|\\.)*"$/.test(value.trim())
    ? undefined
    : problem('CAARRDATANotThreeFields', 'Value must contain exactly three fields', value)

const soa: Check = value =>
  /^\S+\s+\S+(?:\s+\d{1,10}){5}$/.test(value.trim())
    ? undefined
    : problem('SOARRDATAIncorrectNumberOfFields', 'Incorrect number of fields', value)

const anything: Check = () => undefined

const checks: Readonly<Record<string, Check>> = {
  A: ipv4,
  AAAA: ipv6,
  CNAME: domainName,
  PTR: domainName,
  NS: domainName,
  MX: fields('MX', 1, domainName),
  SRV: fields('SRV', 3, domainName),
  TXT: quotedStrings,
  SPF: quotedStrings,
  CAA: caa,
  SOA: soa,
}

/** Returns the error for a value as an InvalidChangeBatch contains it, or undefined if the value is valid. */
export const valueProblem = (type: string, value: string): string | undefined => {
  const found = (checks[type] ?? anything)(value)
  return found && `Invalid Resource Record: '${fatal(found)}'`
}

/** Expands an IPv6 address to its canonical form, as the URL parser serializes it. */
const canonicalIpv6 = (value: string): string =>
  URL.canParse(`http://[${value}]/`) ? new URL(`http://[${value}]/`).hostname : value

/**
 * Returns the canonical form of a value: names in lower case, addresses without abbreviation. Equal data has equal
 * forms.
 */
export const canonicalValue = (type: string, value: string): string => {
  const trimmed = value.trim()
  if (type === 'AAAA') return canonicalIpv6(trimmed)
  return ['CNAME', 'PTR', 'NS'].includes(type) ? canonicalName(trimmed) : trimmed
}
