import { readdir, readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { allCrds } from '../../shared/contract/crds/crd-of.ts'
import type { Kubernetes, KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { besidePath, isBeside } from '../beside/beside.ts'
import { definitions } from './real-cluster.ts'
import { untilPasses } from './until-passes.ts'

const besides = besidePath('crds')

/** True if the CRDs of Gardener and Knative are beside the repository. Only the developers of Trellis have them. */
export const haveDefinitionsBesides = isBeside('crds')

/** Returns all objects in a YAML text. */
const objectsOf = (text: string): KubernetesObject[] =>
  parseAllDocuments(text).flatMap(document => (document.toJS() as KubernetesObject | null) ?? [])

/** True for workflows of GitHub in the sample projects, for example, which are YAML but no manifests. */
const isHidden = (path: string): boolean => path.split(sep).some(part => part.startsWith('.'))

/** Returns the manifests of a folder of the repository, `knative/base` or `examples`, namespaces first. */
export const manifestsIn = async (name: 'knative/base' | 'examples'): Promise<KubernetesObject[]> => {
  const folder = join(import.meta.dirname, '..', '..', name)
  const files = (await readdir(folder, { recursive: true })).filter(
    name => name.endsWith('.yaml') && !isHidden(name),
  )
  const texts = await Promise.all(files.toSorted().map(name => readFile(join(folder, name), 'utf8')))
  const objects = texts.flatMap(objectsOf)
  return [
    ...objects.filter(({ kind }) => kind === 'Namespace'),
    ...objects.filter(({ kind }) => kind !== 'Namespace'),
  ]
}

/** Returns the CRDs beside the repository with this file name prefix: `extensions.gardener.cloud_`. */
export const definitionsBesides = async (prefix: string): Promise<KubernetesObject[]> => {
  const names = (await readdir(besides)).filter(name => name.startsWith(prefix) && name.endsWith('.yaml'))
  const texts = await Promise.all(names.toSorted().map(name => readFile(join(besides, name), 'utf8')))
  return texts.flatMap(objectsOf)
}

/** The sets of CRDs of the extension kinds: ours, and Gardener's if available. */
export const extensionDefinitions: readonly {
  readonly whose: string
  readonly present: boolean
  readonly load: () => Promise<readonly KubernetesObject[]>
}[] = [
  { whose: "Trellis'", present: true, load: async () => allCrds() },
  {
    whose: "Gardener's",
    present: haveDefinitionsBesides,
    load: () => definitionsBesides('extensions.gardener.cloud_'),
  },
]

/** Gardener's CRDs if available, otherwise ours. Their suites lead one life; `definitions.real.ts` has both. */
export const bestDefinitions = extensionDefinitions.filter(({ present }) => present).slice(-1)

interface Condition {
  readonly type: string
  readonly status: string
  readonly message?: string
}

/** Returns the conditions of a CRD: `Established`, …. An unexpected one includes its message. */
const conditionsOf = async (kubernetes: Kubernetes, name: string): Promise<readonly string[]> => {
  const object = await kubernetes.get(definitions, { name })
  const status = object?.status as { readonly conditions?: readonly Condition[] } | undefined
  const relevant = (status?.conditions ?? []).filter(
    // This condition exists only for kinds of *.k8s.io and reports their approval.
    ({ type, status: state }) => type !== 'KubernetesAPIApprovalPolicyConformant' || state !== 'True',
  )
  return relevant.map(({ type, status: state, message = '' }) =>
    state === 'True' && type !== 'NonStructuralSchema' ? type : `${type}=${state} ${message}`,
  )
}

/** Creates CRDs and waits until each is established. Throws if the server reports a problem with one. */
export const define = async (kubernetes: Kubernetes, crds: readonly KubernetesObject[]): Promise<void> => {
  for (const crd of crds) await kubernetes.create(definitions, crd)
  for (const { metadata } of crds) {
    await untilPasses(
      async () => {
        const conditions = (await conditionsOf(kubernetes, metadata.name)).join(', ')
        if (conditions !== 'NamesAccepted, Established') throw new Error(`${metadata.name}: ${conditions}`)
      },
      { intervalMs: 50 },
    )
  }
}

/**
 * Returns the objects of knative/base for the API server: namespaces, service accounts, roles and their
 * bindings.
 */
export const accessManifests = async (): Promise<KubernetesObject[]> => {
  const access = ['Namespace', 'ServiceAccount', 'ClusterRole', 'ClusterRoleBinding', 'Role', 'RoleBinding']
  return (await manifestsIn('knative/base')).filter(({ kind }) => access.includes(kind))
}
