import type { MachineClassContent } from '../../../../shared/worker/worker.ts'
import { byName } from '../machine-class/by-name.ts'
import type { WorkerPool } from '../request.ts'
import { countAt, type Field, textAt, valueAt } from './field.ts'

/** What of the root volume is hashed; the rest is in the name of the node agent's Secret. */
export const rootFields = ({ volume }: WorkerPool): readonly Field[] => [
  {
    name: 'root volume: encrypted',
    datum: volume?.encrypted === undefined ? undefined : String(volume.encrypted),
    observed: encryptedAt(0),
  },
]

/** Size, type and encryption of each data volume, in the order of the spec; names do not count. */
export const dataVolumeFields = ({ dataVolumes = [] }: WorkerPool): readonly Field[] =>
  dataVolumes.flatMap(volume => {
    const name = `data volume ${volume.name}`
    const index = deviceIndexOf(dataVolumes, volume.name)
    return [
      { name: `${name}: size`, datum: volume.size, observed: sizeAt(index, volume.size, dataVolumes.length) },
      {
        name: `${name}: type`,
        datum: volume.type,
        observed: content => deviceText(content, index, 'volumeType', dataVolumes.length),
      },
      {
        name: `${name}: encrypted`,
        datum: volume.encrypted === undefined ? undefined : String(volume.encrypted),
        observed: content =>
          hasVolumes(content, dataVolumes.length) ? encryptedAt(index)(content) : undefined,
      },
    ]
  })

/** Where the device of a data volume is in `blockDevices`: after the root's, by name. */
export const deviceIndexOf = (volumes: readonly { readonly name: string }[], name: string): number =>
  1 + volumes.toSorted(byName).findIndex(volume => volume.name === name)

/** Undefined also where the class has other volumes than the pool: which of them is which it does not tell. */
export const deviceText = (
  content: MachineClassContent,
  index: number,
  field: string,
  volumes: number,
): string | undefined =>
  hasVolumes(content, volumes)
    ? textAt(content.providerSpec, ['blockDevices', index, 'ebs', field])
    : undefined

const hasVolumes = ({ providerSpec }: MachineClassContent, volumes: number): boolean =>
  countAt(providerSpec, ['blockDevices']) === volumes + 1

/** A class has GiB alone: the size itself while it is as many. */
const sizeAt =
  (index: number, size: string, volumes: number) =>
  (content: MachineClassContent): string | undefined => {
    const gib = deviceText(content, index, 'volumeSize', volumes)
    if (gib === undefined) return undefined
    return /^\d+/.exec(size)?.[0] === gib ? size : `${gib}Gi`
  }

/** False is left out of a class. */
const encryptedAt =
  (index: number) =>
  ({ providerSpec }: MachineClassContent): string | undefined =>
    valueAt(providerSpec, ['blockDevices', index]) === undefined
      ? undefined
      : (textAt(providerSpec, ['blockDevices', index, 'ebs', 'encrypted']) ?? 'false')
