import type { Stop } from '../../../../cli/demo/stop.ts'
import type { ProvidedAws } from '../simulate.ts'
import { infrastructureStops } from './infrastructure-stops.ts'
import { recordStops } from './record-stops.ts'

/** What the guided tour shows of AWS. */
export const awsStops = (aws: ProvidedAws): readonly Stop[] => [
  ...recordStops(aws),
  ...infrastructureStops(aws),
]
