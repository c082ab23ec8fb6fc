import type { Operation } from 'rfc6902'
import { describe, expect, test } from 'vitest'
import type { WebhookDefinition } from '../../../shared/admission/admission.ts'
import { playAgain, playRecording } from '../../../shared/admission/testing/play-recording.ts'
import { patched, type RecordedReview, recordedResult } from '../../../shared/admission/testing/recording.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { isBeside, webhookRecordings } from '../../../test/beside/beside.ts'
import { recordedReviews } from '../../../test/recorded/reviews.ts'
import { definition as cloudprovider } from './cloudprovider/webhook.ts'
import { definition as controlplane } from './controlplane/webhook.ts'
import { definition as seedPvca } from './seed-pvca/webhook.ts'
import { definition as seedprovider } from './seedprovider/webhook.ts'
import { definition as shootConfigmap } from './shoot-configmap/webhook.ts'
import { definition as shootService } from './shoot-service/webhook.ts'
import { definition as shootServiceNginxIngress } from './shoot-service-nginx-ingress/webhook.ts'
import { definition as terraformer } from './terraformer/webhook.ts'
import { differences, notReplayed } from './testing/differences.ts'

const definitions: readonly WebhookDefinition[] = [
  cloudprovider,
  controlplane,
  seedPvca,
  seedprovider,
  shootConfigmap,
  shootService,
  shootServiceNginxIngress,
  terraformer,
]

const settings: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  seedprovider: { etcdStorageClass: 'gardener.cloud-fast', etcdStorageCapacity: '25Gi' },
}

/** `controlplane.kube-apiserver` was sent to `controlplane`, and `handler` too. */
const definitionOf = (file: string): WebhookDefinition => {
  const [name = ''] = file.split('.')
  const found = definitions.find(one => one.name === (name === 'handler' ? 'controlplane' : name))
  if (found === undefined) throw new Error(`nobody answers ${file}`)
  return found
}

const recordings = webhookRecordings
  .map(file => ({ file, ...recordedReviews(file) }))
  .filter(({ cases }) => cases.length > 0)

/** What was there when a review was recorded. */
const objectsOf = (
  { clusters, secrets }: ReturnType<typeof recordedReviews>,
  { state }: RecordedReview,
): readonly KubernetesObject[] => [
  ...Object.values(clusters),
  ...Object.entries(secrets).flatMap(([namespace, secret]) =>
    secret === undefined
      ? []
      : [
          {
            apiVersion: 'v1',
            kind: 'Secret',
            metadata: { namespace, name: 'cloudprovider', labels: secret.labels },
            data: Object.fromEntries(secret.keys.map(key => [key, ''])),
          },
        ],
  ),
  ...(state?.kubeDNS
    ? [
        {
          apiVersion: 'v1',
          kind: 'Service',
          metadata: { namespace: 'kube-system', name: 'kube-dns' },
          spec: { ipFamilies: state.kubeDNS },
        },
      ]
    : []),
]

describe.each(recordings)('$file', ({ file, ...recording }) => {
  const definition = definitionOf(file)
  test.each(recording.cases.filter(({ name }) => notReplayed[`${file}: ${name}`] === undefined))(
    '$name',
    async recorded => {
      const options = { objects: objectsOf(recording, recorded), settings: settings[file] ?? {} }
      const replayed = await playRecording(definition, recorded, options)
      const difference = differences[`${file}: ${recorded.name}`]
      const { allowed, status } = recorded.response
      expect({ allowed: replayed.allowed, code: replayed.code }).toEqual({
        allowed,
        code: status?.code ?? 200,
      })
      if (allowed) {
        const result = recordedResult(recorded)
        const expected = difference?.result?.(result, recorded) ?? result
        expect(replayed.object).toEqual(expected)
        if (difference !== undefined) expect(replayed.object, 'it differs no more').not.toEqual(result)
      } else if (difference?.message === undefined) expect(replayed.message).toBe(status?.message)
      else {
        expect(replayed.message).not.toBe(status?.message)
        expect(replayed.message).toMatch(difference.message)
      }
    },
  )

  test.each(recording.cases.filter(({ again }) => again !== undefined))(
    '$name, once more as an update of what was there',
    async recorded => {
      const options = { objects: objectsOf(recording, recorded), settings: settings[file] ?? {} }
      const replayed = await playRecording(definition, recorded, options)
      const again = await playAgain(definition, recorded, replayed, options)
      if (recorded.again === 'no change') expect(again.patch).toEqual([])
      else {
        const { patch } = recorded.again as unknown as { readonly patch: readonly Operation[] }
        expect(again.object).toEqual(patched(replayed.object, patch))
      }
    },
  )
})

test('each difference is of a case that is recorded', () => {
  const names = recordings.flatMap(({ file, cases }) => cases.map(({ name }) => `${file}: ${name}`))
  const listed = [...Object.keys(differences), ...Object.keys(notReplayed)]
  expect(listed.filter(name => isBeside('golden') && !names.includes(name))).toEqual([])
})
