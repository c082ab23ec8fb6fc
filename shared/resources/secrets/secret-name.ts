import { createHash } from 'node:crypto'
import type { DesiredManagedResource } from '../desired-managed-resource.ts'

const sha256 = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Sha256, in hex, of the concatenated sha256 of each value, in the order of the keys; the keys themselves do not count. */
export const dataChecksum = (data: Readonly<Record<string, Uint8Array>>): string =>
  sha256(
    Object.entries(data)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([, value]) => sha256(value))
      .join(''),
  )

/** The first hex digits of a checksum that stand in a name. */
const shortLength = 8

const startOf = ({ name, secretPrefix }: Pick<DesiredManagedResource, 'name' | 'secretPrefix'>): string =>
  `${secretPrefix ?? ''}${name}-`

/** The Secret of a ManagedResource with such data (docs/contract/managed-resources.md#names). */
export const secretNameOf = (
  desired: Pick<DesiredManagedResource, 'name' | 'secretPrefix'>,
  data: Readonly<Record<string, Uint8Array>>,
): string => `${startOf(desired)}${dataChecksum(data).slice(0, shortLength)}`

/** Whether a Secret of that name can be one of the ManagedResource, whatever its data. */
export const isSecretNameOf = (
  desired: Pick<DesiredManagedResource, 'name' | 'secretPrefix'>,
  secretName: string,
): boolean => {
  const start = startOf(desired)
  return secretName.startsWith(start) && /^[0-9a-f]{8}$/.test(secretName.slice(start.length))
}

/** Whether a name has a checksum at its end, as the Secrets have that are made for ManagedResources. */
export const hasSecretName = (secretName: string): boolean => /-[0-9a-f]{8}$/.test(secretName)

const referencePrefix = 'reference.resources.gardener.cloud/'

/** What every annotation starts with that says which Secrets and ConfigMaps an object refers to. */
export const isReference = (annotation: string): boolean => annotation.startsWith(referencePrefix)

/** The annotation by which the garbage collector knows that a Secret is in use. */
export const referenceTo = (secretName: string): Readonly<Record<string, string>> => ({
  [`${referencePrefix}secret-${sha256(secretName).slice(0, shortLength)}`]: secretName,
})
