import { describe, expect, test } from 'vitest'
import { lookupIn } from '../../../sandbox/reviews/reviews.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { brokenLookup } from '../../../shared/webhooks/admission/testing/broken-lookup.ts'
import { definition as ofShoots } from './kube-apiserver/webhook.ts'
import { definition as ofGarden } from './virtual-garden-kube-apiserver/webhook.ts'

const namespace = 'shoot--garden--one'

const deploymentOf = (name: string, pod: object = {}): KubernetesObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, namespace },
  spec: {
    template: {
      spec: {
        containers: [
          {
            name: 'kube-apiserver',
            image: 'a',
            args: ['--a=b', '--authentication-token-webhook-cache-ttl=2m'],
          },
          { name: 'vpn', args: ['--x'] },
        ],
        volumes: [{ name: 'ca' }],
        ...pod,
      },
    },
  },
})

const kubeconfig: KubernetesObject = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'oidc-webhook-authenticator-kubeconfig', namespace },
}

const bundleOf = (name: string, issuedAt: string | undefined, identity = 'extension-shoot-oidc-service') => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: {
    name,
    namespace,
    labels: {
      'bundle-for': 'ca-extension-shoot-oidc-service',
      'managed-by': 'secrets-manager',
      'manager-identity': identity,
      ...(issuedAt !== undefined && { 'issued-at-time': issuedAt }),
    },
  },
})

const review = async (
  object: KubernetesObject,
  objects: readonly KubernetesObject[],
  definition = ofShoots,
  lookup = lookupIn(objects),
) =>
  definition.review(
    {
      uid: 'u',
      operation: 'UPDATE',
      resource: { group: 'apps', version: 'v1', plural: 'deployments' },
      namespace,
      name: object.metadata.name,
      object,
      oldObject: object,
      dryRun: false,
    },
    lookup,
    {},
  )

const podOf = (object: KubernetesObject | undefined) => Object(object?.spec).template.spec

describe('an API server', () => {
  test('calls the authenticator, and trusts the newest bundle', async () => {
    const { changed } = await review(deploymentOf('kube-apiserver'), [
      kubeconfig,
      bundleOf('bundle-1', '1000'),
      bundleOf('bundle-3', '3000'),
      bundleOf('bundle-2', '2000'),
      bundleOf('of-a-garden', '9000', 'extension-shoot-oidc-service-runtime'),
      bundleOf('without-a-time', undefined),
    ])
    expect(podOf(changed)).toEqual({
      containers: [
        {
          name: 'kube-apiserver',
          image: 'a',
          args: [
            '--a=b',
            '--authentication-token-webhook-cache-ttl=0',
            '--authentication-token-webhook-config-file=/var/run/secrets/oidc-webhook/authenticator/kubeconfig',
          ],
          volumeMounts: [
            {
              name: 'oidc-webhook-authenticator-kubeconfig',
              readOnly: true,
              mountPath: '/var/run/secrets/oidc-webhook/authenticator',
            },
            {
              name: 'token-validator-secret',
              readOnly: true,
              mountPath: '/var/run/secrets/oidc-webhook/token-validator',
            },
          ],
        },
        { name: 'vpn', args: ['--x'] },
      ],
      volumes: [
        { name: 'ca' },
        {
          name: 'oidc-webhook-authenticator-kubeconfig',
          secret: { secretName: 'oidc-webhook-authenticator-kubeconfig', defaultMode: 420 },
        },
        {
          name: 'token-validator-secret',
          projected: {
            defaultMode: 420,
            sources: [{ secret: { name: 'bundle-3', items: [{ key: 'bundle.crt', path: 'bundle.crt' }] } }],
          },
        },
      ],
    })
  })

  test('that is already changed does not change, and a new bundle replaces the old one', async () => {
    const { changed } = await review(deploymentOf('kube-apiserver'), [kubeconfig, bundleOf('one', '1')])
    if (changed === undefined) throw new Error('nothing was changed')
    const again = await review(changed, [kubeconfig, bundleOf('one', '1')])
    expect(again.changed ?? changed).toEqual(changed)
    const { changed: renewed } = await review(changed, [
      kubeconfig,
      bundleOf('one', '1'),
      bundleOf('two', '2'),
    ])
    expect(podOf(renewed).volumes).toHaveLength(3)
    expect(JSON.stringify(renewed)).not.toContain('"one"')
  })

  test('does not change while no authenticator exists', async () => {
    expect(await review(deploymentOf('kube-apiserver'), [bundleOf('one', '1')])).toEqual({})
  })

  test('is refused while no CA for the authenticator exists, because it would refuse all of its users', async () => {
    await expect(review(deploymentOf('kube-apiserver'), [kubeconfig])).rejects.toThrow(
      'CA bundle secret of the OIDC authenticator is not yet available',
    )
    await expect(
      review(deploymentOf('kube-apiserver'), [kubeconfig, bundleOf('without-a-time', undefined)]),
    ).rejects.toThrow('not yet available')
  })

  test('is refused if the lookup of the authenticator fails', async () => {
    await expect(review(deploymentOf('kube-apiserver'), [], ofShoots, brokenLookup)).rejects.toThrow(
      'etcd is away',
    )
  })

  test('without the container does not change', async () => {
    const object = deploymentOf('kube-apiserver', { containers: [{ name: 'other' }] })
    const { changed } = await review(object, [kubeconfig, bundleOf('one', '1')])
    expect(changed ?? object).toEqual(object)
  })

  test('of a garden has the bundle of the garden, and each webhook its own Deployment', async () => {
    const objects = [kubeconfig, bundleOf('g', '1', 'extension-shoot-oidc-service-runtime')]
    const { changed } = await review(deploymentOf('virtual-garden-kube-apiserver'), objects, ofGarden)
    expect(JSON.stringify(changed)).toContain('"g"')
    expect(await review(deploymentOf('kube-apiserver'), objects, ofGarden)).toEqual({})
    expect(await review(deploymentOf('virtual-garden-kube-apiserver'), objects)).toEqual({})
  })
})
