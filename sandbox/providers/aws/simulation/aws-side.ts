// The SDK is loaded on demand by some functions, and a run reads no files.
import '@aws-sdk/client-ec2'
import '@aws-sdk/client-sts'
import { providerOf } from '../../../seed/seed.ts'
import type { CloudSide, CloudSideOptions } from '../../../simulation/simulation.ts'
import { landscape, seeds, wholeShoot } from '../demo/whole-shoot.ts'
import { furnishedZone } from '../furnished-zone.ts'
import { type AccountSnapshot, type Aws, addHostedZone, createAws, simulatedAws } from '../simulator/aws.ts'
import { connectSdk } from './connect-sdk.ts'

export interface AwsSide extends CloudSide {
  readonly aws: Aws
}

/** A simulated AWS in real durations. All functions but those of provider-local work with it. */
export const createAwsSide = ({ clock, random }: CloudSideOptions): AwsSide => {
  const aws = createAws({ clock, bytes: random.fork('aws').bytes })
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
    contents: () => contentsOf(aws),
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

/**
 * A line for each row of the account's tables. Counters, client tokens, the progress of DNS changes and terminated
 * instances are not content.
 */
const contentsOf = (aws: Aws): readonly string[] =>
  Object.entries(aws.account().snapshot().services)
    .flatMap(([service, state]) => rowsOf(service, state))
    .sort()

const counters = new Set(['sequence', 'allocations', 'ipv4Cursors', 'tokens', 'changes', 'prepared'])

const rowsOf = (path: string, value: object): readonly string[] =>
  Object.entries(value).flatMap(([key, inner]) => {
    if (counters.has(key) || (Object(inner).terminatedAt ?? Object(inner).deletedAt) !== undefined) return []
    const isRow = inner === null || typeof inner !== 'object' || 'id' in inner || 'name' in inner
    if (!isRow) return rowsOf(`${path}/${key}`, inner)
    const { recordSets, objects, sequence: _, sweptDay: __, ...row } = Object(inner)
    return [
      `${path} ${JSON.stringify(isRow && typeof inner === 'object' ? row : { [key]: inner })}`,
      ...[recordSets, objects].flatMap((parts: unknown) =>
        Object.values(Object(parts)).map(part => `${path}/${row.name} ${JSON.stringify(part)}`),
      ),
    ]
  })
