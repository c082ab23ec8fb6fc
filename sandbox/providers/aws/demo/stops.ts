import type { TourPart } from '../../stop.ts'
import type { ProvidedAws } from '../simulate.ts'
import { infrastructureStops } from './infrastructure-stops.ts'
import { recordStops } from './record-stops.ts'
import { shootStops } from './shoot-stops.ts'

/** The AWS part of the guided tour. */
export const awsStops = (aws: ProvidedAws): TourPart => ({
  inSandbox: [...recordStops(aws), ...infrastructureStops(aws)],
  afterwards: shootStops(),
})
