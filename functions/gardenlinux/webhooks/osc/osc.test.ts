import { describe, expect, test } from 'vitest'
import { patched, sendReview, sendReviewAgain } from '../../../../sandbox/reviews/reviews.ts'
import type { KubernetesObject } from '../../../../shared/kubernetes/kubernetes.ts'
import type { RecordedReview } from '../../../../shared/webhooks/admission/testing/recording.ts'
import { readStored } from '../../../../test/recorded/stored.ts'
import { definition } from './webhook.ts'

const kubelet = `apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
failSwapOn: true
# who counts
cgroupDriver: cgroupfs
`

const configOf = (type: string, text: string | undefined = kubelet, spec: object = {}): KubernetesObject => ({
  apiVersion: 'extensions.gardener.cloud/v1alpha1',
  kind: 'OperatingSystemConfig',
  metadata: { name: 'pool', namespace: 'shoot--foo--bar' },
  spec: {
    type,
    purpose: 'reconcile',
    criConfig: { name: 'containerd', cgroupDriver: 'cgroupfs' },
    files: [{ path: '/var/lib/kubelet/config/kubelet', content: { inline: { encoding: '', data: text } } }],
    ...spec,
  },
})

const reviewed = async (object: KubernetesObject) => {
  const result = await sendReview(definition, { operation: 'CREATE', object })
  const { spec } = result.object as unknown as {
    readonly spec: {
      readonly criConfig?: { readonly cgroupDriver?: string }
      readonly files: readonly { readonly content: { readonly inline: { readonly data: string } } }[]
    }
  }
  return { ...result, text: spec.files[0]?.content.inline.data, driver: spec.criConfig?.cgroupDriver }
}

describe.each(['gardenlinux', 'gardenlinux-fips'])('a config of type %s', type => {
  test('delegates control groups to systemd, and every other byte is retained', async () => {
    const { text, driver } = await reviewed(configOf(type))
    expect(text).toBe(kubelet.replace('cgroupDriver: cgroupfs', 'cgroupDriver: systemd'))
    expect(driver).toBe('systemd')
  })

  test('that already does so does not change', async () => {
    const object = configOf(type, kubelet.replace('cgroupfs', 'systemd'), {
      criConfig: { name: 'containerd', cgroupDriver: 'systemd' },
    })
    expect((await reviewed(object)).patch).toEqual([])
  })

  test.each([
    ['names none', kubelet.replace('cgroupDriver: cgroupfs\n', '')],
    ['has an empty one', kubelet.replace('cgroupfs', '""')],
  ])('with a kubelet that %s retains its file', async (_, text) => {
    expect((await reviewed(configOf(type, text))).text).toBe(text)
  })

  test('without criConfig gets none', async () => {
    expect((await reviewed(configOf(type, kubelet, { criConfig: null }))).driver).toBeUndefined()
  })

  test('for a new machine does not change', async () => {
    expect((await reviewed(configOf(type, kubelet, { purpose: 'provision' }))).patch).toEqual([])
  })

  test('with an unreadable kubelet config is refused', async () => {
    expect(await reviewed(configOf(type, 'kind: Other\n'))).toMatchObject({
      allowed: false,
      message: expect.stringContaining('could not decode kubelet configuration'),
    })
  })
})

test.each(['memoryone-gardenlinux', 'ubuntu'])(
  'a config of type %s does not change if it is sent for review',
  async type => {
    expect((await reviewed(configOf(type))).patch).toEqual([])
  },
)

test('is reviewed only for its own types', () => {
  expect(definition.matchConditions).toEqual([
    { name: 'types', expression: "object.spec.type in ['gardenlinux', 'gardenlinux-fips']" },
  ])
})

describe('the recorded answers of Gardener’s own extension', () => {
  const { cases } = readStored('operatingsystemconfig/gardenlinux-webhook.json') as {
    readonly cases: readonly RecordedReview[]
  }

  test.each(cases)('$name', async recorded => {
    const review = { ...recorded, operation: recorded.operation ?? ('CREATE' as const) }
    const replayed = await sendReview(definition, review)
    expect(replayed.allowed).toBe(recorded.response.allowed)
    const { patch = [] } = recorded.response as { readonly patch?: readonly { readonly path: string }[] }
    // Go adds kubelet fields with zero values that the sent object did not have.
    const isKubelet = ({ path }: { readonly path: string }) => path === '/spec/files/0/content/inline/data'
    expect(replayed.patch.map(({ path }) => path).toSorted()).toEqual(
      patch.map(({ path }) => path).toSorted(),
    )
    expect(replayed.patch.filter(one => !isKubelet(one))).toEqual(patch.filter(one => !isKubelet(one)))
    const driver = (object: KubernetesObject) =>
      /^cgroupDriver: (.*)$/m.exec(Buffer.from(dataOf(object), 'base64').toString())?.[1]
    expect(driver(replayed.object)).toBe(driver(patched(recorded.object, patch as never)))
    expect((await sendReviewAgain(definition, review, replayed)).patch).toEqual([])
  })
})

const dataOf = (object: KubernetesObject): string => {
  const { files } = object.spec as {
    readonly files: readonly { readonly content: { readonly inline: { readonly data: string } } }[]
  }
  return files[0]?.content.inline.data ?? ''
}
