import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { clusterKind, kinds } from '../../shared/contract/kinds.ts'
import { managedResourceKind } from '../../shared/contract/resource-kinds.ts'
import { type KubernetesObject, mergePatch } from '../../shared/kubernetes/kubernetes.ts'
import { secrets } from '../../shared/lifecycle/lifecycle.ts'
import { temporaryFiles } from '../replay/testing/replay-run.ts'
import { plan as anyPlan } from './testing/plan-run.ts'
import { reconciledObjects } from './testing/reconciled-objects.ts'

const example = fileURLToPath(new URL('../../examples/controlplane/one-zone.yaml', import.meta.url))
const running = await reconciledObjects({
  example,
  event: 'controlplane-create',
  resources: {
    Cluster: clusterKind.resource,
    Secret: secrets,
    ControlPlane: kinds.ControlPlane.resource,
    ManagedResource: managedResourceKind.resource,
  },
})
let files: Awaited<ReturnType<typeof temporaryFiles>>
beforeAll(async () => {
  files = await temporaryFiles()
})
afterAll(() => files.remove())

const plan = async (...given: Parameters<typeof anyPlan>) => {
  const planned = await anyPlan(...given)
  expect(planned.text).not.toContain('PRIVATE KEY')
  expect(planned.text).not.toContain('BEGIN CERTIFICATE')
  return planned
}

/** The plan of a running ControlPlane, with some of its objects patched. */
const planWith = async (
  patches: Readonly<Record<string, object>>,
  options: Parameters<typeof plan>[1] = {},
  objects: readonly KubernetesObject[] = running,
) => {
  const changed = objects.map(object => {
    const patch = patches[`${object.kind}/${object.metadata.name}`] ?? patches[object.kind]
    return patch === undefined ? object : mergePatch(object, patch)
  })
  const path = await files.write(
    `${Math.random()}.yaml`,
    changed.map(object => `---\n${stringify(object)}`).join(''),
  )
  return plan([path], options)
}

const shoot = (fields: object) => ({ Cluster: { spec: { shoot: fields } } })
const head = 'Reconciling ControlPlane shoot--garden--control-plane/control-plane\n\n'

describe('a plan of a ControlPlane', () => {
  test('for a new one, it lists the created objects, and needs only the file', async () => {
    const { text, differs } = await plan([example])
    expect(differs).toBe(true)
    expect(text.startsWith(head)).toBe(true)
    expect(text).toContain(`
+ create the ManagedResource extension-controlplane-storageclasses, 2 objects in the shoot
    StorageClass: default
    VolumeSnapshotClass: default

Plan: 10 to create, 0 to change, 0 to delete, 1 to wait for
Objects: 77 to create, 0 to change, 0 to delete
`)
    expect(Math.max(...text.split('\n').map(line => line.length))).toBeLessThanOrEqual(110)
    expect(await plan([example])).toEqual({ text, differs })
  })

  test('without changes, it is empty', async () => {
    expect(await planWith({})).toEqual({ text: `${head}Nothing to do.\n`, differs: false })
  })

  test('for another version of Kubernetes, it lists the changed lines', async () => {
    const { text } = await planWith(shoot({ spec: { kubernetes: { version: '1.34.1' } } }))
    expect(
      text.slice(0, text.indexOf('    ~ Deployment shoot--garden--control-plane/csi')),
    ).toBe(`${head}~ update the ManagedResource extension-controlplane-seed, 2 objects in the seed
    ~ Deployment shoot--garden--control-plane/cloud-controller-manager
        @@ -54,7 +54,7 @@
                       value: /srv/cloudprovider/credentialsFile
                     - name: AWS_REGION
                       value: eu-west-1
        -          image: registry.k8s.io/provider-aws/cloud-controller-manager:v1.33.4
        +          image: registry.k8s.io/provider-aws/cloud-controller-manager:v1.34.3
                   imagePullPolicy: IfNotPresent
                   livenessProbe:
                     failureThreshold: 2
`)
    expect(text.slice(text.indexOf('\nPlan:'))).toBe(`
Plan: 0 to create, 1 to change, 0 to delete
Objects: 0 to create, 2 to change, 0 to delete
`)
  })

  test('it uses the images that an operator has set, as the function does', async () => {
    const file = await files.write('images.yaml', 'images: [{ name: csi-driver, tag: v9 }]')
    const env = { TRELLIS_IMAGEVECTOR_OVERWRITE: file }
    expect((await planWith({}, { env })).text).toContain('aws-ebs-csi-driver:v9\n')
  })

  test('for other credentials, it says that pods restart, and does not show the credentials', async () => {
    const value = 'AKIAPLANTED000000002'
    const { text } = await planWith({ 'Secret/cloudprovider': { data: { accessKeyID: btoa(value) } } })
    expect(text.match(/its pods restart: new checksum\/secret-cloudprovider/g)).toHaveLength(5)
    expect(text).not.toContain('@@')
    expect(text).not.toContain(value)
    expect(text).not.toContain(btoa(value))
  })

  test('it lists deleted objects', async () => {
    const balancers = { spec: { providerConfig: { loadBalancerController: { enabled: false } } } }
    const { text } = await planWith({ ControlPlane: balancers })
    expect(text).toContain('    - MutatingWebhookConfiguration aws-load-balancer-controller-webhook\n')
    expect(text).toContain('    - CustomResourceDefinition targetgroupbindings.elbv2.k8s.aws\n')
  })

  test('for a deletion, it lists what remains in the shoot', async () => {
    const { text } = await planWith({}, { delete: true })
    const binding = 'extensions.gardener.cloud:provider-aws:cloud-controller-manager'
    expect(text).toContain(`- delete the ManagedResource extension-controlplane-shoot, 37 objects in the shoot
    ClusterRoleBinding ${binding} is retained
`)
    expect(text.split(binding)).toHaveLength(2)
    const moving = { spec: { keepObjects: true } }
    const kept = await planWith({ 'ManagedResource/extension-controlplane-shoot': moving }, { delete: true })
    expect(
      kept.text,
    ).toContain(`- delete the ManagedResource extension-controlplane-shoot, 0 objects in the shoot
    its objects are retained
…`)
  })

  test('for a hibernated shoot, it lists the scaling to zero', async () => {
    const { text } = await planWith(
      shoot({ spec: { hibernation: { enabled: true } }, status: { hibernated: true } }),
    )
    expect(text.match(/^ {8}- {2}replicas: 1\n {8}\+ {2}replicas: 0$/gm)).toHaveLength(4)
  })

  test('it cleans up the nodes once the overlay is disabled, without a request to the shoot', async () => {
    const networking = { providerConfig: { overlay: { enabled: false } } }
    const { text } = await planWith(shoot({ spec: { networking } }))
    expect(text).toContain(`~ clean up the shoot, once
    annotation aws.provider.extensions.gardener.cloud/calico-cleanup-completed: true
`)
  })

  test('it rotates the CA, with the same text each time', async () => {
    const certificateAuthorities = { phase: 'Preparing', lastInitiationTime: '2026-02-01T00:00:00Z' }
    const rotation = shoot({ status: { credentials: { rotation: { certificateAuthorities } } } })
    const { text } = await planWith(rotation)
    expect(
      text.replaceAll(/-[0-9a-f]{8}\b|sha256 [0-9a-f]{8}/g, match => match.replace(/[0-9a-f]{8}$/, '…')),
    ).toBe(`${head}+ recreate the CA ca-provider-aws-controlplane
    the CA rotation of the shoot started at 2026-02-01 00:00
+ create the certificate bundle of the CA ca-provider-aws-controlplane
~ update the ManagedResource extension-controlplane-shoot, 2 objects in the shoot
    ~ MutatingWebhookConfiguration aws-load-balancer-controller-webhook
        it trusts different certificates: certificate of ca-provider-aws-controlplane-…-805fe (known after create),
        certificate of ca-provider-aws-controlplane-… (sha256 …)
    ~ ValidatingWebhookConfiguration aws-load-balancer-controller-webhook
        it trusts different certificates: certificate of ca-provider-aws-controlplane-…-805fe (known after create),
        certificate of ca-provider-aws-controlplane-… (sha256 …)
… wait until the new CA is trusted
+ recreate the certificate aws-load-balancer-controller-webhook-service
    the previous one was signed by another CA
~ update the ManagedResource extension-controlplane-seed, 1 object in the seed
    ~ Deployment shoot--garden--control-plane/aws-load-balancer-controller
        @@ -105,7 +105,7 @@
                 - name: cert
                   secret:
                     defaultMode: 420
        -            secretName: aws-load-balancer-controller-webhook-service-…
        +            secretName: aws-load-balancer-controller-webhook-service-(known after create)
                 - name: kubeconfig
                   projected:
                     defaultMode: 420
~ mark the certificate aws-load-balancer-controller-webhook-service as unused
    aws-load-balancer-controller-webhook-service-…: a reconciliation in 10 minutes or later deletes it
~ mark the certificate bundle of the CA ca-provider-aws-controlplane as unused
    ca-provider-aws-controlplane-bundle-…: a reconciliation in 10 minutes or later deletes it

Plan: 3 to create, 4 to change, 0 to delete, 1 to wait for
Objects: 0 to create, 3 to change, 0 to delete
`)
    expect((await planWith(rotation)).text).toBe(text)
  })

  test('for a deletion, it lists what is deleted, and what it waits for', async () => {
    const { text, differs } = await planWith({}, { delete: true })
    expect(differs).toBe(true)
    expect(text.split('\n').filter(line => /^[-…]/.test(line))).toEqual([
      '- delete the ManagedResource extension-controlplane-storageclasses, 2 objects in the shoot',
      '- delete the ManagedResource extension-controlplane-shoot-crds, 5 objects in the shoot',
      '… wait until extension-controlplane-shoot-crds is gone',
      '- delete the ManagedResource extension-controlplane-shoot, 37 objects in the shoot',
      '… wait until extension-controlplane-shoot is gone',
      '- delete the ManagedResource extension-controlplane-seed, 31 objects in the seed',
      '- delete the ManagedResource extension-controlplane-configuration-seed, 1 object in the seed',
      '- delete 10 Secrets with tokens for the API server of the shoot',
      '- delete 3 Secrets with manifests of deleted ManagedResources',
      '- delete the certificate aws-load-balancer-controller-webhook-service',
      '- delete the CA ca-provider-aws-controlplane',
      '- delete the certificate bundle of the CA ca-provider-aws-controlplane',
      '- delete the certificate cloud-controller-manager-server',
    ])
  })

  test('it names the Secret that is missing for a complete plan', async () => {
    const without = running.filter(
      ({ metadata }) => !metadata.name.startsWith('extension-controlplane-storageclasses-'),
    )
    const storage = { spec: { providerConfig: { storage: { managedDefaultClass: false } } } }
    const { text } = await planWith({ ControlPlane: storage }, {}, without)
    expect(text).toMatch(
      /its objects are unknown: the Secret extension-controlplane-storageclasses-[0-9a-f]{8} does not exist\n/,
    )
  })

  test('it is available as data for programs', async () => {
    const { text } = await planWith(shoot({ spec: { kubernetes: { version: '1.34.1' } } }), {
      output: 'json',
    })
    const json = JSON.parse(text)
    expect(json).toMatchObject({
      object: { kind: 'ControlPlane', name: 'control-plane' },
      destroying: false,
      actions: [
        {
          kind: 'update',
          cluster: 'seed',
          objects: [
            { change: 'update', kind: 'Deployment', name: 'cloud-controller-manager' },
            { change: 'update', kind: 'Deployment', name: 'csi-driver-controller' },
          ],
        },
      ],
      writes: [
        { verb: 'create', resource: 'secrets' },
        { verb: 'patch', resource: 'managedresources', name: 'extension-controlplane-seed' },
      ],
    })
    expect(json.actions[0].objects[0].diff).toContain(
      '+          image: registry.k8s.io/provider-aws/cloud-controller-manager:v1.34.3',
    )
  })

  test('it fails as a step does', async () => {
    const planned = planWith({ ControlPlane: { spec: { infrastructureProviderStatus: null } } })
    await expect(planned).rejects.toThrow('could not decode infrastructureProviderStatus')
  })
})
