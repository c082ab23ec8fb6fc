import { describe, expect, test } from 'vitest'
import { sendReview } from '../../../sandbox/reviews/reviews.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { registrations } from '../../../shared/webhooks/admission/admission.ts'
import { definition as mutator } from './mutator/webhook.ts'
import { definition as secretsValidator } from './secrets-validator/webhook.ts'
import { definition as validator } from './validator/webhook.ts'

test('the configurations have the names and selectors of the Go extension', () => {
  const webhooks = registrations([mutator, secretsValidator, validator], {
    namespace: 'garden',
    caBundleOf: () => '',
  }).flatMap(({ kind, metadata, webhooks: entries = [] }) =>
    entries.map(({ name, objectSelector, rules = [], failurePolicy }) => [
      kind,
      metadata.name,
      name,
      Object.keys(objectSelector?.matchLabels ?? {}).join(),
      rules.flatMap(({ resources = [] }) => resources).join(),
      failurePolicy,
    ]),
  )
  const configuration = 'gardener-extension-admission-local'
  const provider = 'provider.extensions.gardener.cloud/local'
  expect(webhooks).toEqual([
    [
      'MutatingWebhookConfiguration',
      configuration,
      'mutator.admission-local.extensions.gardener.cloud',
      provider,
      'namespacedcloudprofiles/status,shoots',
      'Fail',
    ],
    [
      'ValidatingWebhookConfiguration',
      configuration,
      'secrets.validator.admission-local.extensions.gardener.cloud',
      'provider.shoot.gardener.cloud/local',
      'secrets',
      'Fail',
    ],
    [
      'ValidatingWebhookConfiguration',
      configuration,
      'validator.admission-local.extensions.gardener.cloud',
      provider,
      'cloudprofiles,namespacedcloudprofiles,shoots,workloadidentities',
      'Fail',
    ],
  ])
})

describe('a Secret', () => {
  const secretWith = (data?: object): KubernetesObject => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'a', namespace: 'garden-dev' },
    ...(data && { data }),
  })
  const review = (object: KubernetesObject, oldObject?: KubernetesObject) =>
    sendReview(
      secretsValidator,
      oldObject ? { operation: 'UPDATE', object, oldObject } : { operation: 'CREATE', object },
    )

  test('needs a kubeconfig, and the refusal shows no value', async () => {
    expect((await review(secretWith({ kubeconfig: 'YQ==' }))).allowed).toBe(true)
    for (const data of [undefined, { kubeconfig: '' }, { other: 'UExBTlRFRA==' }])
      expect((await review(secretWith(data))).message).toBe(
        'data.kubeconfig: Required value: expected the kubeconfig of the provider cluster, found nothing',
      )
  })

  test('without one may change its labels, but not its data', async () => {
    expect((await review(secretWith(), secretWith({}))).allowed).toBe(true)
    expect((await review(secretWith({ a: 'YQ==' }), secretWith({}))).allowed).toBe(false)
    expect((await review(secretWith(), secretWith({ kubeconfig: 'YQ==' }))).allowed).toBe(false)
  })
})

test('a WorkloadIdentity has no configuration', async () => {
  const identityWith = (targetSystem: object): KubernetesObject => ({
    apiVersion: 'security.gardener.cloud/v1alpha1',
    kind: 'WorkloadIdentity',
    metadata: { name: 'a', namespace: 'garden-dev' },
    spec: { targetSystem: { type: 'local', ...targetSystem } },
  })
  const messageOf = async (targetSystem: object) =>
    (await sendReview(validator, { operation: 'CREATE', object: identityWith(targetSystem) })).message
  expect(await messageOf({})).toBeUndefined()
  expect(await messageOf({ providerConfig: null })).toBeUndefined()
  expect(await messageOf({ providerConfig: {} })).toBe(
    'spec.targetSystem.providerConfig: Forbidden: expected none: the provider local has no configuration',
  )
})

test('a Shoot is marked once, and its own mark remains', async () => {
  const shootWith = (annotations?: Readonly<Record<string, string>>): KubernetesObject => ({
    apiVersion: 'core.gardener.cloud/v1beta1',
    kind: 'Shoot',
    metadata: { name: 'a', namespace: 'garden-dev', ...(annotations && { annotations }) },
    spec: {},
  })
  const key = 'extensions.gardener.cloud/processed-by'
  const annotationsOf = async (object: KubernetesObject) =>
    (await sendReview(mutator, { operation: 'CREATE', object })).object.metadata.annotations
  expect(await annotationsOf(shootWith())).toEqual({ [key]: 'admission-webhook-local-provider' })
  expect(await annotationsOf(shootWith({ a: 'b', [key]: '' }))).toEqual({ a: 'b', [key]: '' })
})
