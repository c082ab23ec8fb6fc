import { infrastructureStops } from './infrastructure-stops.ts'
import { recordStops } from './record-stops.ts'
import type { Stop } from './stop.ts'

/** The stops of the guided tour, in their order; each builds on those before. */
export const tour = (): readonly Stop[] => [
  ...recordStops,
  ...infrastructureStops(),
  {
    title: 'Nothing to do: the functions scale to zero',
    typed: '(wait)',
    run: async (stage, signal) => {
      for (const name of ['aws-dnsrecord', 'aws-infrastructure'])
        while (stage.isAwake(name)) await stage.clock.sleep(20, signal)
      return ''
    },
  },
]
