import { glob, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { recordOf } from '../../../shared/decode/record-of.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import type { FunctionDefinition } from '../../../shared/runtime/runtime.ts'
import type { Project } from '../../project/project.ts'

/** Objects of a seed, starting with the one that a function reconciles. Empty if there is no example. */
export type Sample = readonly KubernetesObject[]

/**
 * Returns the example objects for a function: the first of its kind and type, and those in its namespace and in that of
 * its Secret.
 *
 * @param all those of its project
 */
export const sampleOf = (
  { kind, types }: Pick<FunctionDefinition, 'kind' | 'types'>,
  all: Sample,
): Sample => {
  const object = all.find(other => other.kind === kind && types.includes(String(recordOf(other.spec).type)))
  if (object === undefined) return []
  const { secretRef } = recordOf(object.spec)
  const namespaces = [object.metadata.namespace, recordOf(secretRef).namespace]
  const isNear = ({ metadata: { name, namespace } }: KubernetesObject): boolean =>
    namespaces.includes(namespace ?? name)
  return [object, ...all.filter(other => other !== object && isNear(other))]
}

/** Returns the objects in `examples/` of a project, and in the `example.yaml` beside its functions. */
export const exampleObjects = async ({ functions }: Pick<Project, 'functions'>): Promise<Sample> => {
  const files: string[] = []
  // Samples of projects are projects of their own.
  for await (const file of glob(['examples/**/*.yaml', `${basename(functions)}/*/*/example.yaml`], {
    cwd: dirname(functions),
  }))
    if (!file.startsWith('examples/authors/')) files.push(file)
  const texts = await Promise.all(
    files.toSorted().map(file => readFile(join(dirname(functions), file), 'utf8')),
  )
  // The text that looks like an access key id is made up, but image scanners would still report it.
  const withoutKeys = texts.map(text => text.replaceAll(/\b[0-9A-Z]{20}\b/g, 'SAMPLE00000000000000'))
  return withoutKeys.flatMap(text =>
    parseAllDocuments(text).map(document => document.toJS() as KubernetesObject),
  )
}
