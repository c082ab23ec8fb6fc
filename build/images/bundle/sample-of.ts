import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { recordOf } from '../../../shared/decode/record-of.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { FunctionDefinition } from '../../../shared/runtime/runtime.ts'

/** Objects of a seed, starting with the one that a function reconciles. Empty if there is no example. */
export type Sample = readonly KubernetesObject[]

const examples = join(import.meta.dirname, '../../../examples')

/**
 * Returns the example objects for a function: the first of its kind and type, and those in its namespace and in that of
 * its Secret.
 */
export const sampleOf = async ({
  kind,
  types,
}: Pick<FunctionDefinition, 'kind' | 'types'>): Promise<Sample> => {
  const all = await exampleObjects()
  const object = all.find(other => other.kind === kind && types.includes(String(recordOf(other.spec).type)))
  if (object === undefined) return []
  const { secretRef } = recordOf(object.spec)
  const namespaces = [object.metadata.namespace, recordOf(secretRef).namespace]
  const isNear = ({ metadata: { name, namespace } }: KubernetesObject): boolean =>
    namespaces.includes(namespace ?? name)
  return [object, ...all.filter(other => other !== object && isNear(other))]
}

const exampleObjects = async (): Promise<readonly KubernetesObject[]> => {
  const files = (await readdir(examples, { recursive: true }))
    .filter(file => file.endsWith('.yaml'))
    .toSorted()
  const texts = await Promise.all(files.map(file => readFile(join(examples, file), 'utf8')))
  // The text that looks like an access key id is made up, but image scanners would still report it.
  const withoutKeys = texts.map(text => text.replaceAll(/\b[0-9A-Z]{20}\b/g, 'SAMPLE00000000000000'))
  return withoutKeys.flatMap(text =>
    parseAllDocuments(text).map(document => document.toJS() as KubernetesObject),
  )
}
