import {
  type ShootSeed,
  type ShootSeedsOptions,
  startShootSeeds,
} from '../../../gardenlet/start-shoot-seeds.ts'
import { type Aws, simulatedAws } from '../simulator/aws.ts'
import { landscape, seeds } from './whole-shoot.ts'

/**
 * Settings of functions with a simulated AWS in this process, at a hundredth of the durations. A search already takes a
 * while.
 */
export const functionSettings = { waitScale: 0.02 }

export type AwsShootSeed = ShootSeed<{ readonly aws: ReturnType<typeof simulatedAws> }>

export interface AwsShootSeedsOptions
  extends Pick<
    ShootSeedsOptions<{ readonly aws: ReturnType<typeof simulatedAws> }>,
    'functions' | 'clock' | 'observe' | 'broker' | 'manifests' | 'seedProcess'
  > {
  readonly aws: Aws
}

/** Starts the two seeds of the landscape with one shared account. */
export const startAwsShootSeeds = ({ aws, ...options }: AwsShootSeedsOptions) =>
  startShootSeeds({ ...options, seeds, landscape, functionSettings, clouds: { aws: simulatedAws(aws) } })
