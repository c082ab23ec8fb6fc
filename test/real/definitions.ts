import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { allCrds } from '../../shared/contract/crds/crd-of.ts'
import type { Kubernetes, KubernetesObject } from '../../shared/kubernetes/port.ts'
import { definitions } from './real-cluster.ts'

const besides = join(import.meta.dirname, '..', '..', '..', 'shared', 'crds')

/** Whether the CRDs of Gardener and Knative lie beside the repository, as they do where Trellis is developed. */
export const haveDefinitionsBesides = existsSync(besides)

/** All objects of YAML text. */
export const objectsOf = (text: string): KubernetesObject[] =>
  parseAllDocuments(text).flatMap(document => (document.toJS() as KubernetesObject | null) ?? [])

/** The CRDs beside the repository whose file name begins so: `extensions.gardener.cloud_`. */
export const definitionsBesides = async (prefix: string): Promise<KubernetesObject[]> => {
  const names = (await readdir(besides)).filter(name => name.startsWith(prefix) && name.endsWith('.yaml'))
  const texts = await Promise.all(names.toSorted().map(name => readFile(join(besides, name), 'utf8')))
  return texts.flatMap(objectsOf)
}

/** The sets of CRDs of the extension kinds: ours, and Gardener's where they are at hand. */
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

interface Condition {
  readonly type: string
  readonly status: string
  readonly message?: string
}

/** The conditions of a CRD: `Established=True`, …, each with its message when it tells of a fault. */
export const conditionsOf = async (kubernetes: Kubernetes, name: string): Promise<readonly string[]> => {
  const object = await kubernetes.get(definitions, { name })
  const status = object?.status as { readonly conditions?: readonly Condition[] } | undefined
  return (status?.conditions ?? []).map(({ type, status: state, message = '' }) =>
    state === 'True' && type !== 'NonStructuralSchema' ? type : `${type}=${state} ${message}`,
  )
}
