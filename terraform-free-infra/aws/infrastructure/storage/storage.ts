import type { GraphBuilder, Ref } from '../../../engine/engine.ts'
import type { AwsCloud } from '../cloud.ts'
import type { DesiredInfrastructure } from '../desired-infrastructure.ts'
import type { NetworkReads } from '../network/reads.ts'
import type { Purpose } from '../purpose.ts'
import { efsReads, fileSystemKey, targetKey } from './efs-reads.ts'
import { type FileSystemOutcome, fileSystemType, givenFileSystemType } from './file-system.ts'
import { mountTargetType } from './mount-target.ts'

/** What the storage stands on. */
export interface StorageNeeds {
  readonly reads: Pick<NetworkReads, 'subnets' | 'tagsProve'>
  /** The subnets of the nodes by zone; none of own zones. */
  readonly workers: ReadonlyMap<string, Ref<{ readonly id: string }>>
  readonly nodesGroup: Ref<{ readonly id: string }>
}

export interface StorageRefs {
  /** The one that the nodes use: made, or the user's. */
  readonly fileSystem: Ref<FileSystemOutcome> | undefined
}

/**
 * EFS. A file system is made unless the user gives one; either gets a mount target in each zone, but in own zones
 * those are the user's. One that was made stays until the shoot goes, whatever the config says later: it may hold data.
 */
export const addStorage = (
  graph: GraphBuilder<AwsCloud>,
  desired: DesiredInfrastructure,
  { reads, workers, nodesGroup }: StorageNeeds,
  purpose: Purpose = {},
): StorageRefs => {
  const { fileSystem, zones } = desired
  const efs = efsReads(desired, purpose)
  const made = graph.add(fileSystemType(desired, efs), '', {
    when: fileSystem !== undefined && fileSystem.id === undefined,
    attributes: {},
    state: { id: fileSystemKey },
  })
  if (fileSystem === undefined) {
    graph.sweep(mountTargetType(desired, efs, reads))
    return { fileSystem: undefined }
  }
  const given = fileSystem.id === undefined ? undefined : addGiven(graph, desired, fileSystem.id, efs)
  const used: Ref<FileSystemOutcome> = given ?? made
  if (zones.kind === 'own') return { fileSystem: used }
  const type = mountTargetType(desired, efs, reads)
  graph.sweep(type)
  for (const { name } of zones.zones) {
    const subnet = workers.get(name)
    if (subnet === undefined) continue
    graph.add(type, name, {
      attributes: {
        fileSystem: used.get(({ id }) => id),
        subnet: subnet.get(({ id }) => id),
        group: nodesGroup.get(({ id }) => id),
      },
      state: {
        id: outcome =>
          outcome.group === undefined
            ? undefined
            : targetKey(outcome.fileSystem, outcome.subnet, outcome.group),
      },
    })
  }
  return { fileSystem: used }
}

const addGiven = (
  graph: GraphBuilder<AwsCloud>,
  { zones }: DesiredInfrastructure,
  id: string,
  efs: ReturnType<typeof efsReads>,
): Ref<FileSystemOutcome> => {
  const givenSubnets = zones.kind === 'own' ? zones.zones.map(({ workers }) => workers) : []
  return graph.add(givenFileSystemType(efs), id, {
    attributes: {},
    state: {
      id: () => undefined,
      values: Object.fromEntries(
        givenSubnets.map(subnet => [
          targetKey(id, subnet),
          ({ targets }: { readonly targets: Readonly<Record<string, string>> }) => targets[subnet],
        ]),
      ),
    },
  })
}
