import { isIP, isIPv4, isIPv6 } from 'node:net'
import { parseTimestamp } from '../../../shared/clock/clock.ts'

const tests: Readonly<Record<string, (value: string) => boolean>> = {
  'date-time': value => parseTimestamp(value) !== undefined,
  date: value => /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value)),
  ipv4: isIPv4,
  ipv6: isIPv6,
  cidr: value => {
    const [address = '', length = '', ...more] = value.split('/')
    return more.length === 0 && isIP(address) > 0 && /^\d{1,3}$/.test(length) && Number(length) <= 128
  },
  uuid: value => /^[0-9a-f]{8}-?([0-9a-f]{4}-?){3}[0-9a-f]{12}$/i.test(value),
  uri: value => URL.canParse(value),
  byte: value => /^[A-Za-z0-9+/]*={0,2}$/.test(value) && value.length % 4 === 0,
}

/** Returns true if a text has the format. Unknown formats match every text, as in kube-apiserver. */
export const matchesFormat = (value: string, format: string): boolean =>
  Object.hasOwn(tests, format) ? (tests[format]?.(value) ?? true) : true
