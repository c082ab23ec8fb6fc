import type { Figure } from '../figure.ts'
import { ratioRow } from './ratio-row.ts'
import type { VariantUsage } from './variant-usage.ts'

/** The rows of a variant of a function: its cost as a multiple of today's. */
export const variantRows = (name: string, today: VariantUsage, variant: VariantUsage): readonly Figure[] => {
  const row = (what: string, unit: 'ms' | 'MB' | 'ms CPU', of: keyof VariantUsage) =>
    ratioRow(what, { unit, ours: today[of], theirs: variant[of] })
  return [
    row(`${name}: process start → first event answered`, 'ms', 'startMs'),
    row('the same: processor time', 'ms CPU', 'startCpuMs'),
    row('the same: resident memory at rest', 'MB', 'atRestMb'),
    row('the same: resident memory after 200 events', 'MB', 'afterEventsMb'),
    row('the same: processor time of an event', 'ms CPU', 'cpuMsPerEvent'),
  ]
}
