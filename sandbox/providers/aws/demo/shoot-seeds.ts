import {
  type ShootSeed,
  type ShootSeedsOptions,
  startShootSeeds,
} from '../../../gardenlet/start-shoot-seeds.ts'
import { type Aws, simulatedAws } from '../simulator/aws.ts'
import { landscape, seeds } from './whole-shoot.ts'

/** Of functions whose AWS is in this process, and takes a hundredth of the time; looking for something takes a while itself. */
export const functionSettings = { clientQps: 1_000, clientBurst: 1_000, waitScale: 0.02 }

export type AwsShootSeed = ShootSeed<{ readonly aws: ReturnType<typeof simulatedAws> }>

export interface AwsShootSeedsOptions
  extends Pick<
    ShootSeedsOptions,
    'functions' | 'clock' | 'startFunctions' | 'observe' | 'broker' | 'manifests'
  > {
  readonly aws: Aws
}

/** The two seeds of the landscape, and one account for both. */
export const startAwsShootSeeds = ({ aws, ...options }: AwsShootSeedsOptions) =>
  startShootSeeds({ ...options, seeds, landscape, functionSettings, clouds: { aws: simulatedAws(aws) } })
