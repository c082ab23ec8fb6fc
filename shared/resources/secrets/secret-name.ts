import { createHash } from 'node:crypto'
import type { DesiredManagedResource } from '../desired-managed-resource.ts'

const sha256 = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** SHA-256, in hex, of the concatenated SHA-256 of each value, in the order of the keys. The keys are not included. */
export const dataChecksum = (data: Readonly<Record<string, Uint8Array>>): string =>
  sha256(
    Object.entries(data)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([, value]) => sha256(value))
      .join(''),
  )

/** Number of a checksum's hex digits in a name. */
const shortLength = 8

const startOf = ({ name, secretPrefix }: Pick<DesiredManagedResource, 'name' | 'secretPrefix'>): string =>
  `${secretPrefix ?? ''}${name}-`

/** Returns the name of a ManagedResource's Secret with this data (docs/contract/managed-resources.md#names). */
export const secretNameOf = (
  desired: Pick<DesiredManagedResource, 'name' | 'secretPrefix'>,
  data: Readonly<Record<string, Uint8Array>>,
): string => `${startOf(desired)}${dataChecksum(data).slice(0, shortLength)}`

/** Returns true if the name fits a Secret of the ManagedResource with any data. */
export const isSecretNameOf = (
  desired: Pick<DesiredManagedResource, 'name' | 'secretPrefix'>,
  secretName: string,
): boolean => {
  const start = startOf(desired)
  return secretName.startsWith(start) && /^[0-9a-f]{8}$/.test(secretName.slice(start.length))
}

/** Returns true if the name ends with a checksum, like the Secrets that are created for ManagedResources. */
export const hasSecretName = (secretName: string): boolean => /-[0-9a-f]{8}$/.test(secretName)

const referencePrefix = 'reference.resources.gardener.cloud/'

/** Prefix of annotations that name the Secrets and ConfigMaps of an object. */
export const isReference = (annotation: string): boolean => annotation.startsWith(referencePrefix)

/** Returns the annotation that protects a used Secret from the garbage collector. */
export const referenceTo = (secretName: string): Readonly<Record<string, string>> => ({
  [`${referencePrefix}secret-${sha256(secretName).slice(0, shortLength)}`]: secretName,
})
