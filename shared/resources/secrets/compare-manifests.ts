import { createHash } from 'node:crypto'
import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'
import { holdsSame } from './manifests.ts'

/** Objects as they shall be, and what `manifestsOf` has made of them. */
export interface DesiredContent {
  readonly objects: readonly KubernetesObject[]
  readonly data: Readonly<Record<string, Uint8Array>>
}

/** Whether the data of a Secret, base64 by key, holds the very objects: `holdsSame`. */
export type CompareManifests = (present: unknown, desired: DesiredContent) => Promise<boolean>

export const compareManifests: CompareManifests = (present, { objects }) => holdsSame(present, objects)

/**
 * Compares, and remembers by their checksums which contents said the same: reading the YAML of another program takes 20 to
 * 70 ms of a processor, each time anew for as long as nothing changes.
 *
 * @param most how many pairs are remembered, those used last; 200 bytes each
 */
export const rememberingComparison = (most = 1_000, compare = compareManifests): CompareManifests => {
  const same = new Set<string>()
  return async (present, desired) => {
    const pair = `${checksumOf(present)} ${checksumOf(desired.data)}`
    const isKnown = same.delete(pair)
    if (!isKnown && !(await compare(present, desired))) return false
    same.add(pair)
    for (const oldest of same) {
      if (same.size <= most) break
      same.delete(oldest)
    }
    return true
  }
}

/** Of keys and values: a key says how its value is to be read. */
const checksumOf = (data: unknown): string => {
  const hash = createHash('sha256')
  for (const [key, value] of Object.entries(Object(data))) {
    const bytes = value instanceof Uint8Array ? value : String(value)
    hash.update(`${key.length} ${bytes.length} ${key}`).update(bytes)
  }
  return hash.digest('base64')
}
