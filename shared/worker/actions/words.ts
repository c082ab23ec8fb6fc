import type { MachinesAtOnce } from '../rollout/machines-at-once.ts'

/** `1 machine`, `3 machines`. */
export const counted = (count: number, what: string): string =>
  `${count} ${what}${count === 1 ? '' : pluralEnd(what)}`

const pluralEnd = (what: string): string => (what.endsWith('class') ? 'es' : 's')

/** `at most 3 more and 1 fewer at once`, relative to the desired number. */
export const inWords = ({ surge, unavailable }: MachinesAtOnce): string => {
  const parts = [
    ...(surge > 0 ? [`${surge} more`] : []),
    ...(unavailable > 0 ? [`${unavailable} fewer`] : []),
  ]
  return `at most ${parts.join(' and ')} at once`
}
