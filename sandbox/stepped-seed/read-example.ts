import { readFile } from 'node:fs/promises'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { readYaml } from '../../shared/text/read-yaml.ts'

/** An object of a function's kind, and the other objects of the example: its namespace, Cluster and Secret. */
export interface SeedExample {
  readonly object: KubernetesObject
  readonly beside: readonly KubernetesObject[]
}

/**
 * Reads a YAML file with the function's object as the last document. Throws if the file is not YAML or has other
 * content.
 *
 * @example
 * const { object, beside } = await readExample(new URL('example.yaml', import.meta.url))
 */
export const readExample = async (file: URL | string): Promise<SeedExample> => {
  const objects = readYaml(await readFile(file, 'utf8')).flatMap((document, index) => {
    if ('problem' in document)
      throw new TypeError(`${file}: document ${index + 1} is not valid YAML (${document.problem})`)
    const parsed = document.value
    // An empty document, such as after a final `---`.
    if (parsed === null) return []
    if (!isKubernetesObject(parsed))
      throw new TypeError(`${file}: not a Kubernetes object: apiVersion, kind and metadata.name are required`)
    return [parsed]
  })
  const object = objects.at(-1)
  if (object === undefined) throw new TypeError(`${file}: contains no object`)
  return { object, beside: objects.slice(0, -1) }
}

const isKubernetesObject = (value: unknown): value is KubernetesObject => {
  const { apiVersion, kind, metadata } = Object(value)
  return typeof apiVersion === 'string' && typeof kind === 'string' && typeof metadata?.name === 'string'
}
