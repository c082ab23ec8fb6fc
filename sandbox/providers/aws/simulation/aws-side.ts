// The SDK is loaded on demand by some functions, and a run reads no files.
import '@aws-sdk/client-ec2'
import '@aws-sdk/client-sts'
import { providerOf } from '../../../seed/seed.ts'
import type { CloudSide, CloudSideOptions } from '../../../simulation/simulation.ts'
import { landscape, seeds, wholeShoot } from '../demo/whole-shoot.ts'
import { furnishedZone } from '../furnished-zone.ts'
import { type AccountSnapshot, type Aws, addHostedZone, createAws, simulatedAws } from '../simulator/aws.ts'
import { awsContents } from './aws-contents.ts'
import { connectSdk } from './connect-sdk.ts'

export interface AwsSide extends CloudSide {
  readonly aws: Aws
}

/** A simulated AWS in real durations. All functions but those of provider-local work with it. */
export const createAwsSide = ({ clock, random, visibleAfterMs = 0 }: CloudSideOptions): AwsSide => {
  const aws = createAws({ clock, bytes: random.fork('aws').bytes, visibleAfter: visibleAfterMs })
  addHostedZone(aws.account(), furnishedZone)
  return {
    aws,
    clouds: { aws: simulatedAws(aws) },
    connections: { aws: connectSdk(aws.requestHandler, status => refuseNext(aws, status)) },
    functionSettings: {},
    serves: fn => providerOf(fn) !== 'local',
    seeds,
    landscape,
    shoot: wholeShoot,
    contents: () => awsContents(aws),
    backUp: () => aws.account().snapshot(),
    restore: backup => aws.account().restore(backup as AccountSnapshot),
    close: () => {},
  }
}

const refuseNext = (aws: Aws, status: number): void => {
  aws.faults.add({
    effect:
      status === 429
        ? { kind: 'throttle' }
        : { kind: 'error', code: status === 503 ? 'ServiceUnavailable' : 'InternalFailure', status },
  })
}
