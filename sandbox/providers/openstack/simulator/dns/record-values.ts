import { isIPv4, isIPv6 } from 'node:net'

const label = /^(?!-)[A-Za-z0-9_*-]{1,63}(?<!-)$/

/** Returns true for a name with a dot at its end. */
export const isFullName = (name: string): boolean =>
  name.endsWith('.') &&
  name.length <= 255 &&
  name
    .slice(0, -1)
    .split('.')
    .every(part => label.test(part))

/** One part, without white space outside of quotes; parts of up to 255 characters (`designate/objects/rrdata_txt.py`). */
const isText = (value: string): boolean =>
  /^"(?:[^"\\]|\\.)*"(?:\s+"(?:[^"\\]|\\.)*")*$/.test(value) || (/^\S+$/.test(value) && !value.includes('"'))

const checks: Readonly<Record<string, (value: string) => boolean>> = {
  A: isIPv4,
  AAAA: isIPv6,
  CNAME: isFullName,
  NS: isFullName,
  PTR: isFullName,
  TXT: isText,
  SPF: isText,
  MX: value => /^\d{1,5} \S+$/.test(value) && isFullName(value.split(' ')[1] ?? ''),
  SRV: value => /^\d{1,5} \d{1,5} \d{1,5} \S+$/.test(value),
  CAA: value => /^\d{1,3} \w+ /.test(value),
  SOA: () => true,
}

export const isRecordType = (type: string): boolean => Object.hasOwn(checks, type)

/** Returns true if Designate accepts a value. */
export const isRecordValue = (type: string, value: string): boolean => checks[type]?.(value) ?? false
