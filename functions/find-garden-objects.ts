import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import * as z from 'zod'
import { formatProblems, problemsOf } from '../shared/decode/problems.ts'
import { valueAt } from '../shared/decode/record-of.ts'
import type { KubernetesObject } from '../shared/kubernetes/kubernetes.ts'
import { DefinitionError, type DefinitionProblem } from '../shared/runtime/runtime.ts'
import { nearestName } from '../shared/text/nearest-name.ts'
import { readYaml } from '../shared/text/read-yaml.ts'

/** The objects of a provider in the garden. */
export interface FoundGardenObjects {
  readonly provider: string
  readonly objects: readonly KubernetesObject[]
}

/**
 * Labels by which Gardener aggregates a ClusterRole to a role of project members
 * (docs/contract/registration.md#project-roles).
 */
const aggregation = 'rbac.gardener.cloud/aggregate-to-'
const roles = ['project-member', 'project-viewer', 'project-serviceaccountmanager', 'extension-role']

/** They retain a definition, and so the objects of users, when the extension is uninstalled. */
const retained = { 'resources.gardener.cloud/keep-object': 'true', 'helm.sh/resource-policy': 'keep' }

/**
 * Reads the objects of each provider for the garden, sorted by provider: the CustomResourceDefinitions and project
 * roles in `<provider>/garden-objects/*.yaml`. A definition is retained after its extension unless its annotations say
 * otherwise. Throws a `DefinitionError` that names all errors with their files.
 */
export const findGardenObjects = async (root: string): Promise<readonly FoundGardenObjects[]> => {
  const entries = await readdir(root, { withFileTypes: true })
  const folders = entries
    .filter(entry => entry.isDirectory() && existsSync(join(root, entry.name, 'garden-objects')))
    .map(({ name }) => join(root, name))
    .toSorted()
  const read = await Promise.all(folders.map(readFolder))
  const problems = read.flatMap(one => [...one.problems, ...repeated(one.found)])
  if (problems.length > 0) throw new DefinitionError(problems)
  return read.map(({ provider, found }) => ({ provider, objects: found.map(({ object }) => object) }))
}

interface FoundObject {
  readonly file: string
  readonly object: KubernetesObject
}

const texts = z.record(z.string(), z.string()).exactOptional()
const objectSchema = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string().min(1), labels: texts, annotations: texts }),
})

const readFolder = async (folder: string) => {
  const place = join(folder, 'garden-objects')
  const files = (await readdir(place)).filter(file => /\.ya?ml$/.test(file)).toSorted()
  const found: FoundObject[] = []
  const problems: DefinitionProblem[] = []
  for (const file of files.map(name => join(place, name)))
    for (const document of readYaml(await readFile(file, 'utf8'))) {
      const read = 'problem' in document ? document.problem : objectOf(document.value)
      if (typeof read === 'string') problems.push({ place: { file }, message: read })
      else if (read !== undefined) found.push({ file, object: retainedIfDefinition(read) })
    }
  return { provider: basename(folder), found, problems }
}

/** Returns an object or its problem, or undefined for an empty document: a file may begin or end with a separator. */
const objectOf = (value: unknown): KubernetesObject | string | undefined => {
  if (value === null || value === undefined) return undefined
  const { data, error } = objectSchema.safeParse(value)
  if (data === undefined) return formatProblems(problemsOf(error.issues, value))
  return problemOf(data) ?? data
}

const problemOf = (object: KubernetesObject): string | undefined => {
  const { apiVersion, kind, metadata } = object
  if (apiVersion === 'apiextensions.k8s.io/v1' && kind === 'CustomResourceDefinition') {
    const name = `${valueAt(object, 'spec', 'names', 'plural')}.${valueAt(object, 'spec', 'group')}`
    return name === metadata.name
      ? undefined
      : `CustomResourceDefinition ${metadata.name}: the API server expects the name ${name}, from spec.names.plural and spec.group`
  }
  if (apiVersion === 'rbac.authorization.k8s.io/v1' && kind === 'ClusterRole') return roleProblem(object)
  return `${kind} ${metadata.name}: expected a CustomResourceDefinition (apiextensions.k8s.io/v1) or a ClusterRole (rbac.authorization.k8s.io/v1)`
}

const roleProblem = ({ metadata: { name, labels = {} } }: KubernetesObject): string | undefined => {
  const given = Object.keys(labels).filter(label => label.startsWith(aggregation))
  if (given.length === 0)
    return `ClusterRole ${name}: no member of a project has this role. Add a label, such as ${aggregation}project-member: "true"`
  for (const label of given) {
    const role = label.slice(aggregation.length)
    const value = labels[label] ?? ''
    if (!roles.includes(role)) {
      const near = nearestName(role, roles)
      return `ClusterRole ${name}: unknown label ${label}${near === undefined ? '' : `: did you mean ${aggregation}${near}?`}`
    }
    if (role === 'extension-role' ? !/^[a-z0-9](?:[a-z0-9-]{0,18}[a-z0-9])?$/.test(value) : value !== 'true')
      return `ClusterRole ${name}: ${label}: expected ${role === 'extension-role' ? 'a name of at most 20 characters' : '"true"'}`
  }
  return undefined
}

const retainedIfDefinition = (object: KubernetesObject): KubernetesObject =>
  object.kind === 'CustomResourceDefinition'
    ? {
        ...object,
        metadata: { ...object.metadata, annotations: { ...retained, ...object.metadata.annotations } },
      }
    : object

/** A ManagedResource would lose one of two. */
const repeated = (found: readonly FoundObject[]): readonly DefinitionProblem[] =>
  found.flatMap(({ file, object: { kind, metadata } }, index) =>
    found.slice(0, index).some(({ object }) => object.kind === kind && object.metadata.name === metadata.name)
      ? [{ place: { file }, message: `${kind} ${metadata.name} exists twice. Remove one` }]
      : [],
  )
