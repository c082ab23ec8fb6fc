import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { type PatchStep, patched, sendReview, sendReviewAgain } from '../../../sandbox/reviews/reviews.ts'
import { type KubernetesObject, mergePatch } from '../../../shared/kubernetes/kubernetes.ts'
import { registrations } from '../../../shared/webhooks/admission/admission.ts'
import { textOfBase64 } from '../../../shared/webhooks/components/webhooks.ts'
import { openstackWebhookRecordings } from '../../../test/beside/beside.ts'
import { readStored } from '../../../test/recorded/stored.ts'
import { definition as cloudprovider } from './cloudprovider/webhook.ts'
import { definition as controlplane } from './controlplane/webhook.ts'
import { definition as seedprovider } from './seedprovider/webhook.ts'

interface RecordedCase {
  readonly about: string
  readonly object: KubernetesObject
  readonly oldObject?: KubernetesObject
  readonly cloudProfileConfig?: object
  readonly response: {
    readonly allowed: boolean
    readonly status: { readonly code: number; readonly message?: string }
    readonly patch?: readonly PatchStep[]
  }
  readonly again?: string | null
}

const fileOf = (name: string) =>
  readStored(`openstack/webhooks/${name}.json`) as {
    readonly cases: readonly RecordedCase[]
    readonly clusters?: Readonly<Record<string, KubernetesObject>>
  }

const definitions = { cloudprovider, controlplane, seedprovider }
const settings = { openstackEtcdStorageClass: 'gardener.cloud-fast', openstackEtcdStorageCapacity: '25Gi' }

const [recordedCluster] = Object.values(fileOf('controlplane.operatingsystemconfig').clusters ?? {})

/** The Cluster of a case. The configs of the cases of one file add up. */
const clusterFor = (cases: readonly RecordedCase[], index: number): KubernetesObject =>
  cases
    .slice(0, index + 1)
    .reduce<KubernetesObject>((cluster, { cloudProfileConfig: providerConfig = {} }) => {
      return mergePatch(cluster, { spec: { cloudProfile: { spec: { providerConfig } } } }) as KubernetesObject
    }, recordedCluster as KubernetesObject)

/** Go writes all fields of the kubelet's config, and a field of files that the object did not have. */
const comparable = (object: KubernetesObject): unknown => {
  const { files, ...spec } = Object(object.spec)
  if (!Array.isArray(files)) return object
  return {
    ...object,
    spec: {
      ...spec,
      files: files.map(({ content: { inline, ...content }, ...file }) => {
        const { encoding = '', data = '' } = inline ?? {}
        const text = encoding === 'b64' ? textOfBase64(data) : data
        const isKubelet = file.path === '/var/lib/kubelet/config/kubelet'
        return {
          ...file,
          content: { ...content, encoding, data: isKubelet ? withoutZeros(parse(text)) : text },
        }
      }),
    },
  }
}

const withoutZeros = (config: object): object =>
  Object.fromEntries(
    Object.entries(config).filter(([, value]) => {
      const text = JSON.stringify(value)
      return !['0', '{}', '"0s"', '""'].includes(text) && !/^\{"flushFrequency":0/.test(text)
    }),
  )

describe.each(
  openstackWebhookRecordings
    .filter(name => name !== 'registrations')
    .map(name => [name, fileOf(name).cases] as const),
)('%s', (name, cases) => {
  const [kind = ''] = name.split('.')
  const definition = definitions[kind as keyof typeof definitions]

  test.each(cases.map((one, index) => ({ ...one, index })))('$about', async ({ index, ...recorded }) => {
    const { object, oldObject, response } = recorded
    const sent =
      oldObject === undefined
        ? ({ operation: 'CREATE', object } as const)
        : ({ operation: 'UPDATE', object, oldObject } as const)
    const options = {
      objects: [clusterFor(cases, index)],
      settings: kind === 'seedprovider' ? settings : {},
    }
    const answer = await sendReview(definition, sent, options)
    expect({ allowed: answer.allowed, code: answer.code }).toEqual({
      allowed: response.allowed,
      code: response.status.code,
    })
    if (!response.allowed) {
      expect(answer.message).toBe(response.status.message)
      return
    }
    expect(comparable(answer.object)).toEqual(comparable(patched(object, response.patch)))
    expect((await sendReviewAgain(definition, sent, answer, options)).patch).toEqual([])
  })
})

test('the webhooks are registered as by the Go extension', () => {
  const { seed } = readStored('openstack/webhooks/registrations.json') as {
    readonly seed: KubernetesObject & { readonly webhooks: readonly Readonly<Record<string, unknown>>[] }
  }
  const [own] = registrations([cloudprovider, controlplane, seedprovider], {
    namespace: 'extension-provider-openstack',
    caBundleOf: () => 'ca',
  })
  const comparableWebhook = ({ clientConfig: _, ...webhook }: Readonly<Record<string, unknown>>) => ({
    namespaceSelector: {},
    objectSelector: {},
    ...webhook,
  })
  expect(own?.kind).toBe(seed.kind)
  expect(own?.metadata.name).toBe(seed.metadata.name)
  expect((Object(own).webhooks as typeof seed.webhooks).map(comparableWebhook)).toEqual(
    seed.webhooks.map(comparableWebhook),
  )
})
