import { packageVersion } from '../../../../build/project/package-version.ts'
import { compactDeployment, projectDeployment } from '../../../../build/project/project-deployment.ts'
import { deployedObjects } from '../../../../knative/knative.ts'
import { type Aws, addHostedZone, createAws } from '../../../../sandbox/providers/aws/simulator/aws.ts'
import type { KnativePrograms } from '../../programs/knative-programs.ts'
import { type KnativeCluster, type KnativeClusterOptions, startKnativeCluster } from '../knative-cluster.ts'
import { type Records, shootObjects, startRecords } from './records.ts'
import { recordZoneWrites, type ZoneWrites } from './zone-writes.ts'

/** Real Knative with the manifests of Trellis, a simulated AWS, and one shoot. */
export interface KnativeSeed extends KnativeCluster {
  readonly aws: Aws
  readonly records: Records
  readonly writes: ZoneWrites
}

export interface KnativeSeedOptions extends Pick<KnativeClusterOptions, 'timed'> {
  readonly mode?: 'base' | 'compact'
  /** Default: all. */
  readonly functions?: readonly string[]
}

/** The base manifests need the feature: without it, Knative refuses their EventPolicies. */
const settings = { 'knative-eventing/config-features': { 'authentication-oidc': 'enabled' } }

export const startKnativeSeed = async (
  programs: KnativePrograms,
  { mode = 'base', functions, timed = false }: KnativeSeedOptions = {},
): Promise<KnativeSeed> => {
  const undo: (() => unknown)[] = []
  const close = async () => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    const aws = createAws()
    addHostedZone(aws.account(), { name: 'example.com', id: 'Z0LIFE00000000000000' })
    const listener = await aws.listen()
    undo.push(listener.close)
    const cluster = await startKnativeCluster(programs, { settings, timed })
    undo.push(cluster.close)
    await cluster.addTrellis({ awsPort: Number(new URL(listener.url).port), version: await packageVersion() })
    const all = await (mode === 'base' ? projectDeployment() : compactDeployment())
    const objects = deployedObjects({
      ...all,
      functions: all.functions.filter(({ name }) => functions?.includes(name) ?? true),
    })
    for (const object of [...objects, ...shootObjects]) await cluster.apply(object)
    await cluster.ready(objects)
    const records = await startRecords(cluster.kubernetes)
    undo.push(records.close)
    return { ...cluster, aws, records, writes: recordZoneWrites(aws), close }
  } catch (error) {
    await close()
    throw error
  }
}
