import type { Figure } from '../figure.ts'
import type { VariantUsage } from './variant-usage.ts'

export interface Compared {
  readonly unit: 'ms' | 'MB' | 'ms CPU'
  readonly ours: number
  readonly theirs: number
  /** Added to the absolute values. */
  readonly about?: string
}

/** A row with the cost of a package as a multiple of ours, both measured in the same run. */
export const ratioRow = (name: string, { unit, ours, theirs, about }: Compared): Figure => {
  const rounded = (value: number) => value.toFixed(value < 10 ? 2 : 0)
  const both = `${rounded(theirs)} instead of ${rounded(ours)} ${unit}`
  return { name, value: theirs / ours, unit: '×', with: about === undefined ? both : `${both}; ${about}` }
}

/** The rows of a variant of a function: its cost as a multiple of today's. */
export const variantRows = (name: string, today: VariantUsage, variant: VariantUsage): readonly Figure[] => {
  const row = (what: string, unit: Compared['unit'], of: keyof VariantUsage) =>
    ratioRow(what, { unit, ours: today[of], theirs: variant[of] })
  return [
    row(`${name}: process start → first event answered`, 'ms', 'startMs'),
    row('the same: processor time', 'ms CPU', 'startCpuMs'),
    row('the same: resident memory at rest', 'MB', 'atRestMb'),
    row('the same: resident memory after 200 events', 'MB', 'afterEventsMb'),
    row('the same: processor time of an event', 'ms CPU', 'cpuMsPerEvent'),
  ]
}
