import { CodedError } from '../../contract/errors.ts'
import type { File, OperatingSystemConfig } from '../../contract/objects.ts'
import { shown } from '../../decode/problems.ts'
import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'
import { type StepContext, type StepKubernetes, secrets } from '../../lifecycle/lifecycle.ts'
import type { FileContent, ScriptFile } from '../script/write-file.ts'
import { addSize } from '../user-data/size.ts'
import { bytesOfBase64 } from './bytes-of-base64.ts'
import { clearTextOf, notClear } from './content-problems.ts'

/** Number of concurrent reads of Secrets. */
const parallel = 10

/**
 * Returns the files of a config with their content. Secrets of its namespace hold a part of it; each is read once.
 * Throws an Error that names the file of a missing Secret or key, and a `CodedError` if user data cannot hold the
 * content; then decodes no more. Check with `contentProblems` first.
 */
export const readFiles = async ({
  object,
  kubernetes,
}: Pick<StepContext<OperatingSystemConfig>, 'object' | 'kubernetes'>): Promise<readonly ScriptFile[]> => {
  const { files = [] } = object.spec
  const { namespace = '' } = object.metadata
  const found = await readSecrets(kubernetes, namespace, files)
  let size = 0
  return files.map(file => {
    const bytes = bytesOf(file, found)
    size = addSize(size, bytes.length)
    const { path, permissions } = file
    return { path, content: contentOf(file, bytes), permissions }
  })
}

const readSecrets = async (
  kubernetes: Pick<StepKubernetes, 'get'>,
  namespace: string,
  files: readonly File[],
): Promise<ReadonlyMap<string, KubernetesObject | undefined>> => {
  const names = [
    ...new Set(
      files.flatMap(({ content }) => (content.secretRef === undefined ? [] : [content.secretRef.name])),
    ),
  ]
  const found = new Map<string, KubernetesObject | undefined>()
  for (let start = 0; start < names.length; start += parallel) {
    const some = names.slice(start, start + parallel)
    const read = await Promise.all(some.map(name => kubernetes.get(secrets, { name, namespace })))
    for (const [index, name] of some.entries()) found.set(name, read[index])
  }
  return found
}

const bytesOf = (
  { path, content: { inline, secretRef } }: File,
  found: ReadonlyMap<string, KubernetesObject | undefined>,
): Uint8Array => {
  if (secretRef === undefined) {
    const { encoding, data = '' } = inline ?? {}
    return (encoding === 'b64' ? bytesOfBase64(data) : undefined) ?? Buffer.from(data)
  }
  const { name, dataKey } = secretRef
  const secret = found.get(name)
  // It may exist soon: the writer of the config creates it.
  if (secret === undefined) throw new Error(`file ${shown(path)}: Secret "${name}" not found`)
  const data: unknown = Object(secret.data)
  const value: unknown = Object.hasOwn(Object(data), dataKey) ? Reflect.get(Object(data), dataKey) : undefined
  if (typeof value !== 'string')
    throw new Error(`file ${shown(path)}: Secret "${name}" has no key "${dataKey}"`)
  return Buffer.from(value, 'base64')
}

const contentOf = ({ path, content }: File, bytes: Uint8Array): FileContent => {
  if (!content.transmitUnencoded) return { kind: 'encoded', bytes }
  const text = clearTextOf(bytes)
  if (text !== undefined && !text.includes('\0')) return { kind: 'clear', text }
  throw new CodedError(`file ${shown(path)}: ${notClear}`, { codes: ['ERR_CONFIGURATION_PROBLEM'] })
}
