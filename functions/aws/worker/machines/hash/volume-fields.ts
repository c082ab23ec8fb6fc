import type { MachineClassContent } from '../../../../../shared/worker/worker.ts'
import type { MachinePool } from '../request.ts'
import { deviceIndexOf, surplusDevices } from './devices.ts'
import { countAt, type Field, field, textAt } from './field.ts'

/** A volume is encrypted by default. */
const encryptedUnset = { unset: 'true' }

/** The hashed fields of the root volume. Its other fields are in the name of the node agent's Secret. */
export const rootFields = ({ volume }: MachinePool): readonly Field[] => [
  field(
    'root volume: encrypted',
    volume?.encrypted,
    ({ providerSpec }) => encryptedOf(providerSpec, 0),
    encryptedUnset,
  ),
]

/** Size, type and encryption of each data volume, in the order of the spec. Names are not hashed. */
export const dataVolumeFields = ({ dataVolumes = [] }: MachinePool): readonly Field[] => [
  ...dataVolumes.flatMap(({ name, size, type, encrypted }) => [
    field(`data volume ${name}: size`, size, content =>
      sizeOf(size, deviceText(dataVolumes, name, content, 'volumeSize')),
    ),
    field(`data volume ${name}: type`, type, content => deviceText(dataVolumes, name, content, 'volumeType')),
    field(
      `data volume ${name}: encrypted`,
      encrypted,
      content => {
        const index = deviceIndexOf(dataVolumes, name, content)
        return index === undefined ? undefined : encryptedOf(content.providerSpec, index)
      },
      encryptedUnset,
    ),
  ]),
  field('data volumes that were removed from the pool', undefined, content => {
    const surplus = surplusDevices(dataVolumes, content)
    return surplus === 0 ? undefined : String(surplus)
  }),
]

/** Returns a field of the device that a data volume has in a class. */
export const deviceText = (
  volumes: NonNullable<MachinePool['dataVolumes']>,
  name: string,
  content: MachineClassContent,
  key: string,
): string | undefined => {
  const index = deviceIndexOf(volumes, name, content)
  return index === undefined ? undefined : textAt(content.providerSpec, ['blockDevices', index, 'ebs', key])
}

/** A class has sizes in GiB only. Returns the size as written if it is the same number. */
const sizeOf = (size: string, gib: string | undefined): string | undefined => {
  if (gib === undefined) return undefined
  return /^\d+/.exec(size)?.[0] === gib ? size : `${gib}Gi`
}

/** A class omits false. */
const encryptedOf = (providerSpec: unknown, index: number): string | undefined =>
  countAt(providerSpec, ['blockDevices']) > index
    ? (textAt(providerSpec, ['blockDevices', index, 'ebs', 'encrypted']) ?? 'false')
    : undefined
