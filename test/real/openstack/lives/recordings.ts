import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { besideFolder } from '../../../beside/beside.ts'

/** A call of the Go extension, with roles in place of ids. */
export interface RecordedCloudCall {
  readonly service: string
  readonly method: string
  readonly path: string
  readonly status: number
}

/** The recorded life of one object, as the Go extension led it with the same servers. */
export interface RecordedCloudLife {
  // biome-ignore lint/suspicious/noExplicitAny: the object of any kind
  readonly object: any
  // biome-ignore lint/suspicious/noExplicitAny: the content of any service
  readonly content: any
  readonly calls: {
    readonly create: readonly RecordedCloudCall[]
    readonly idle: readonly RecordedCloudCall[]
    readonly delete: readonly RecordedCloudCall[]
  }
}

const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'))

/** Returns a recording from the folder beside the repository. Undefined without that folder. */
export const recordedCloudLife = (kind: string, name: string): RecordedCloudLife | undefined => {
  const path = join(besideFolder, 'golden', 'openstack', kind, name)
  if (!existsSync(`${path}.cr.json`)) return undefined
  return {
    object: read(`${path}.cr.json`),
    content: read(`${path}.openstack.json`),
    calls: read(`${path}.calls.json`),
  }
}

/** Returns the codes of a recorded error. Undefined without the folder. */
export const recordedCloudError = (
  kind: string,
  name: string,
): { readonly codes?: readonly string[]; readonly description: string } | undefined => {
  const path = join(besideFolder, 'golden', 'openstack', kind, `${name}.error.json`)
  return existsSync(path) ? read(path).lastError : undefined
}

/** `5 (2 writes)`: what a table shows. */
export const callsText = (
  calls: readonly { readonly write?: boolean; readonly method?: string }[],
): string => {
  const writes = calls.filter(
    ({ write, method }) => write ?? (method !== undefined && method !== 'GET'),
  ).length
  return `${calls.length} (${writes} writes)`
}
