import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import { isRecord } from '../../shared/decode/record-of.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { readYaml } from '../../shared/text/read-yaml.ts'
import { readInput } from '../read-input.ts'

/**
 * Returns the objects of a YAML or JSON file, or of standard input for `-`; a List gives its items, a saved event its
 * object. Throws a `UsageError` with the position and no quotes: the file may contain a Secret.
 */
export const readObjects = async (
  path: string,
  stdin: NodeJS.ReadableStream,
): Promise<readonly KubernetesObject[]> => {
  const { file, content } = await readInput(path, stdin)
  return readYaml(content).flatMap((document, index) => {
    const where = `${file}: document ${index + 1}`
    if ('problem' in document) throw new UsageError(`${where}: not valid YAML (${document.problem})`)
    return objectsIn(document.value, where)
  })
}

const objectsIn = (value: unknown, where: string): readonly KubernetesObject[] => {
  // An empty document, such as after a final `---`.
  if (value === null || value === undefined) return []
  if (isRecord(value) && Array.isArray(value.items))
    return value.items.flatMap((item, index) => objectsIn(item, `${where}: item ${index + 1}`))
  if (isRecord(value) && value.specversion !== undefined && isRecord(value.data))
    return objectsIn(value.data, `${where}: data of the event`)
  if (!isKubernetesObject(value))
    throw new UsageError(`${where}: not a Kubernetes object: apiVersion, kind and metadata.name are required`)
  return [value.kind === 'Secret' ? withData(value) : value]
}

const isKubernetesObject = (value: unknown): value is KubernetesObject =>
  isRecord(value) &&
  typeof value.apiVersion === 'string' &&
  typeof value.kind === 'string' &&
  isRecord(value.metadata) &&
  typeof value.metadata.name === 'string'

/** Converts a Secret to its stored form: `stringData` is write-only. */
const withData = (secret: KubernetesObject): KubernetesObject => {
  const { stringData, data, ...rest } = secret as KubernetesObject & {
    readonly data?: object
    readonly stringData?: Readonly<Record<string, unknown>>
  }
  const encoded = Object.entries(stringData ?? {}).map(([key, value]) => [
    key,
    Buffer.from(String(value)).toString('base64'),
  ])
  return { ...rest, data: { ...data, ...Object.fromEntries(encoded) } } as KubernetesObject
}
