import { parseTimestamp } from '../../../shared/clock/clock.ts'

const tests: Readonly<Record<string, (value: string) => boolean>> = {
  'date-time': value => parseTimestamp(value) !== undefined,
  byte: value => /^[A-Za-z0-9+/]*={0,2}$/.test(value) && value.length % 4 === 0,
}

/**
 * Returns true if a text has the format. Only those of the served kinds are known; the others match every text, as
 * unknown ones do in kube-apiserver.
 */
export const matchesFormat = (value: string, format: string): boolean =>
  Object.hasOwn(tests, format) ? (tests[format]?.(value) ?? true) : true
