import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { outputOf } from '../../build/programs/programs.ts'
import { packageVersion } from '../../build/project/package-version.ts'
import { findFunctions } from '../../functions/find-functions.ts'
import { findWebhooks } from '../../functions/find-webhooks.ts'
import {
  type ChartFiles,
  chartArchive,
  chartFiles,
  contentsOf,
  deploymentOfValues,
  parseValues,
} from '../../knative/chart/chart.ts'
import { deployedObjects } from '../../knative/knative.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import type { HelmPrograms } from './programs/helm-programs.ts'

export const installable = {
  version: await packageVersion(),
  libraryVersion: await packageVersion(),
  functions: await findFunctions(),
  webhooks: await findWebhooks(),
}

/** Adds an image registry to the values, which a release requires, unless they have one. */
export const withRegistry = (values: object): object => ({
  image: { registry: 'registry.example/trellis' },
  ...values,
})

export const release = {
  name: 'trellis-test',
  namespace: 'extension-trellis-test',
  libraryVersion: installable.version,
}

/** helm with the packed chart and its own folders. */
export interface HelmChart {
  /** Runs helm with these arguments. Returns its output. */
  readonly helm: (...args: readonly string[]) => Promise<string>
  /** The path of the archive. */
  readonly archive: string
  /** Returns the arguments for the chart, its release and its values, `withRegistry`. */
  readonly with: (values: object, namespace?: string) => Promise<readonly string[]>
  readonly folder: string
  readonly close: () => Promise<void>
}

export const packChart = async (
  { helm }: HelmPrograms,
  chart: ChartFiles | Promise<ChartFiles> = chartFiles(installable),
  name?: string,
): Promise<HelmChart> => {
  const folder = await mkdtemp(join(tmpdir(), 'trellis-helm-'))
  const archive = join(folder, 'trellis.tgz')
  await writeFile(archive, await chartArchive(await chart, name))
  const env = {
    ...process.env,
    HELM_CACHE_HOME: join(folder, 'cache'),
    HELM_CONFIG_HOME: join(folder, 'config'),
    HELM_DATA_HOME: join(folder, 'data'),
  }
  let count = 0
  return {
    helm: (...args) => outputOf(helm, args, { cwd: folder, env }),
    archive,
    with: async (values, namespace = release.namespace) => {
      count += 1
      const file = join(folder, `values-${count}.yaml`)
      await writeFile(file, JSON.stringify(withRegistry(values)))
      return [release.name, archive, '--namespace', namespace, '--values', file]
    },
    folder,
    close: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Returns the objects in helm's output, sorted by kind and name. */
export const objectsOf = (text: string): readonly KubernetesObject[] =>
  sorted(parseAllDocuments(text).flatMap(document => (document.toJS() as KubernetesObject | null) ?? []))

/** Returns the objects that the definitions produce for a release with these values. */
export const expectedObjects = (
  values: object,
  namespace = release.namespace,
): readonly KubernetesObject[] => {
  const parsed = parseValues(contentsOf(installable), withRegistry(values))
  const deployment = deploymentOfValues(parsed, installable, {
    ...release,
    namespace,
    version: installable.version,
  })
  return sorted(JSON.parse(JSON.stringify(deployedObjects(deployment))) as readonly KubernetesObject[])
}

/** Sorts objects, and the environment variables in them: the chart writes these by name. */
export const sorted = (objects: readonly KubernetesObject[]): readonly KubernetesObject[] =>
  objects.map(object => byName(object) as KubernetesObject).toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))

const byName = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(byName)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, key === 'env' ? sortedVariables(one) : byName(one)]),
  )
}

const sortedVariables = (env: readonly { readonly name: string }[]) =>
  env.toSorted((a, b) => (a.name < b.name ? -1 : 1))

export const keyOf = ({ apiVersion, kind, metadata }: KubernetesObject): string =>
  [apiVersion, kind, metadata.namespace ?? '', metadata.name].join(' ')
