import { globSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import * as models from '@kubernetes/client-node'
import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { knativeDefinitions } from '../../sandbox/knative/knative.ts'
import { testServer } from '../../sandbox/kubernetes/testing/api-server-fixture.ts'
import { allCrds } from '../../shared/contract/crds/crd-of.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { besidePath, isBeside, withBeside } from '../beside/beside.ts'
import { monitoringDefinitions } from '../definitions/monitoring.ts'
import { rabbitmqBrokerConfigs } from '../definitions/rabbitmq-broker-config.ts'
import { verticalPodAutoscalers } from '../definitions/vertical-pod-autoscaler.ts'

const root = new URL('../..', import.meta.url).pathname
const files = globSync('{knative,examples}/**/*.{yaml,yml}', { cwd: root })
  // Files for kubectl, for Helm and for the garden, not for the API server of a seed.
  .filter(file => basename(file) !== 'kustomization.yaml' && !/^knative\/(?:chart|registration)\//.test(file))
  .sort()

const documentsOf = (path: string): readonly KubernetesObject[] =>
  parseAllDocuments(readFileSync(path, 'utf8')).flatMap(document => {
    expect(document.errors).toEqual([])
    return (document.toJS() as KubernetesObject | null) ?? []
  })

const objects = files.flatMap(file => documentsOf(join(root, file)).map(object => ({ file, object })))
const titled = objects.map(
  ({ file, object }) => [`${file}: ${object.kind} ${object.metadata.name}`, object] as const,
)
const isBuiltIn = ({ apiVersion = '' }: KubernetesObject) =>
  !apiVersion.includes('.') || /^(?!autoscaling\.)[a-z.]+\.k8s\.io\//.test(apiVersion)

test('manifests and examples exist, both of built-in and of other kinds', () => {
  expect(files.length).toBeGreaterThan(12)
  expect(new Set(objects.map(({ object }) => isBuiltIn(object))).size).toBe(2)
})

interface Definition {
  readonly spec: {
    readonly group: string
    readonly names: { readonly kind: string; readonly plural: string }
    readonly scope: string
    readonly versions: readonly { readonly name: string }[]
  }
}

/** Returns the refusal of an API server that has the definitions. It also refuses unknown fields. */
const refusalBy = async (
  definitions: readonly KubernetesObject[],
  object: KubernetesObject,
): Promise<unknown> => {
  const [group = '', version = ''] = (object.apiVersion ?? '').split('/')
  const spec = (definitions as unknown as readonly Definition[])
    .map(one => one.spec)
    .find(one => one.group === group && one.names.kind === object.kind)
  if (spec === undefined) return `there is no definition of ${object.apiVersion} ${object.kind}`
  const namespace = object.metadata.namespace ?? 'default'
  const { call } = testServer({
    objects: [
      ...definitions,
      ...(namespace === 'default'
        ? []
        : [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }]),
    ],
  })
  const within = spec.scope === 'Namespaced' ? `/namespaces/${namespace}` : ''
  const path = `/apis/${group}/${version}${within}/${spec.names.plural}?dryRun=All&fieldValidation=Strict`
  const { status, body } = await call('POST', path, object)
  return status === 201 ? undefined : body
}

const others = titled.filter(([, object]) => !isBuiltIn(object))
const standIns = [verticalPodAutoscalers, rabbitmqBrokerConfigs, ...monitoringDefinitions]
const ours = [...allCrds(), ...knativeDefinitions(), ...standIns]

describe('validation by the definitions of this repository', () => {
  test.each(others)('%s is valid', async (_, object) => {
    expect(await refusalBy(ours, object)).toBeUndefined()
  })

  test('an unknown field is not valid', async () => {
    const [, object] = others[0] ?? []
    if (object === undefined) throw new Error('there is no manifest')
    const wrong = { ...object, spec: { ...(object.spec as object), unheardOf: 1 } }
    expect(JSON.stringify(await refusalBy(ours, wrong))).toContain('unheardOf')
  })
})

describe.skipIf(!isBeside('crds'))(withBeside('crds', 'by the definitions of Gardener and Knative'), () => {
  const originals = isBeside('crds')
    ? readdirSync(besidePath('crds'))
        .filter(file => file.endsWith('.yaml'))
        .flatMap(file => documentsOf(besidePath('crds', file)))
        .filter(({ kind }) => kind === 'CustomResourceDefinition')
        .concat(standIns)
    : []

  test.each(others)('%s is valid', async (_, object) => {
    expect(await refusalBy(originals, object)).toBeUndefined()
  })
})

interface Model {
  readonly attributeTypeMap: readonly { readonly baseName: string; readonly type: string }[]
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const scalars: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: value => typeof value === 'string',
  number: value => typeof value === 'number',
  boolean: value => typeof value === 'boolean',
  IntOrString: value => typeof value === 'string' || typeof value === 'number',
  Date: value => typeof value === 'string',
  any: () => true,
}

/** Returns the paths in a value that its type in a Kubernetes OpenAPI model does not have. */
const faultsOf = (value: unknown, type: string, path: string): readonly string[] => {
  const items = /^(?:Array|Set)<(.+)>$/.exec(type)?.[1]
  if (items !== undefined) {
    if (!Array.isArray(value)) return [`${path}: no list`]
    return value.flatMap((item, index) => faultsOf(item, items, `${path}[${index}]`))
  }
  const values = /^\{ \[key: string\]: (.+); \}$/.exec(type)?.[1]
  if (values !== undefined) {
    if (!isRecord(value)) return [`${path}: no map`]
    return Object.entries(value).flatMap(([key, inner]) => faultsOf(inner, values, `${path}.${key}`))
  }
  const scalar = scalars[type]
  if (scalar !== undefined) return scalar(value) ? [] : [`${path}: no ${type}`]
  const model = (models as unknown as Readonly<Record<string, Model | undefined>>)[type]
  if (model === undefined) return [`${path}: there is no model ${type}`]
  if (!isRecord(value)) return [`${path}: no object`]
  return Object.entries(value).flatMap(([name, inner]) => {
    const field = model.attributeTypeMap.find(({ baseName }) => baseName === name)
    return field === undefined ? [`${path}.${name}: unknown`] : faultsOf(inner, field.type, `${path}.${name}`)
  })
}

const modelOf = ({ apiVersion = '', kind }: KubernetesObject) =>
  `${(apiVersion.split('/').at(-1) ?? '').replace(/^v/, 'V')}${kind}`

describe('validation by the Kubernetes models', () => {
  const builtIn = titled.filter(([, object]) => isBuiltIn(object))

  test.each(builtIn)('%s is valid', (_, object) => {
    expect(faultsOf(object, modelOf(object), object.kind ?? '')).toEqual([])
  })

  test.each<[string, object, string]>([
    ['an unknown field', { spec: { replica: 1 } }, 'Deployment.spec.replica: unknown'],
    ['a text for a number', { spec: { replicas: '1' } }, 'Deployment.spec.replicas: no number'],
    [
      'a map for a list',
      { spec: { template: { spec: { containers: {} } } } },
      'Deployment.spec.template.spec.containers: no list',
    ],
  ])('%s is not valid', (_, object, fault) => {
    expect(faultsOf(object, 'V1Deployment', 'Deployment')).toEqual([fault])
  })
})
