import { shootObjects } from '../../../sandbox/stepped-seed/stepped-seed.ts'
import type { ControlPlane } from '../../contract/objects.ts'
import { deployments, secrets } from '../../kubernetes/core-resources.ts'
import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'
import { functionSeed } from '../../resources/testing/function-seed.ts'
import { defineFunction } from '../../runtime/define-function.ts'
import { shortKeys } from '../../secrets-manager/testing/short-keys.ts'
import { type ControlPlaneFlowOptions, controlPlaneFlow, controlPlanePermissions } from '../control-plane.ts'
import type { ControlPlaneProvider } from '../provider.ts'
import { tinyProvider } from './tiny-provider.ts'

export interface SeedOptions {
  readonly namespace?: string
  readonly spec?: Partial<ControlPlane['spec']>
  readonly annotations?: Readonly<Record<string, string>>
  readonly shoot?: object
  readonly cloudProfile?: object
  readonly provider?: ControlPlaneProvider
  readonly openShoot?: ControlPlaneFlowOptions['openShoot']
  /** gardenlet's request. Default: reconcile. */
  readonly operation?: 'reconcile' | 'restore'
  /** Secret data in plain text. */
  readonly credentials?: Readonly<Record<string, string>>
  readonly cloudproviderLabels?: Readonly<Record<string, string>>
  /** True if the resource manager responds to each write at once. Default: true. */
  readonly instant?: boolean
}

export const hasFailed = (object: KubernetesObject | undefined): boolean =>
  Object(object?.status).lastError !== undefined

/** A seed with a ControlPlane as gardenlet creates it. */
export const newSeed = async ({
  namespace = 'shoot--p--x',
  spec,
  annotations = {},
  shoot,
  cloudProfile,
  provider = tinyProvider(),
  openShoot = () => Promise.reject(new Error('the test gave no openShoot')),
  operation = 'reconcile',
  credentials = { key: 'planted-secret-value' },
  cloudproviderLabels: labels = {},
  instant = true,
}: SeedOptions = {}) => {
  const name = 'control-plane'
  const type = spec?.type ?? 'tiny'
  const seed = await functionSeed({
    definition: defineFunction({
      name: 'tiny-controlplane',
      kind: 'ControlPlane',
      type,
      permissions: controlPlanePermissions,
      create: () => controlPlaneFlow(provider, { createKeyPair: shortKeys(), openShoot }),
    }),
    namespace,
    objects: shootObjects({
      namespace,
      ...(shoot && { shoot }),
      ...(cloudProfile && { cloudProfile }),
      secrets: { cloudprovider: credentials },
    }),
    instant,
    waits: 'advance',
  })
  const { kubernetes } = seed
  await kubernetes.patch(secrets, { name: 'cloudprovider', namespace }, { metadata: { labels } })
  await seed.make(
    {
      apiVersion: 'extensions.gardener.cloud/v1alpha1',
      kind: 'ControlPlane',
      metadata: { name, annotations },
      spec: { type, region: 'r1', secretRef: { name: 'cloudprovider', namespace }, ...spec },
    },
    operation,
  )
  return {
    ...seed,
    ...seed.only<ControlPlane>(name),
    makeSecret: (secretName: string, fields: object) =>
      kubernetes.create(secrets, {
        apiVersion: 'v1',
        kind: 'Secret',
        ...fields,
        metadata: { ...Object(fields).metadata, name: secretName, namespace },
      }),
    /** Creates the API server's Deployment with these replicas. */
    makeApiServer: async (replicas: number) => {
      const metadata = { name: 'kube-apiserver', namespace }
      if (await kubernetes.get(deployments, metadata))
        return kubernetes.patch(deployments, metadata, { spec: { replicas } })
      return kubernetes.create(deployments, {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata,
        spec: { replicas, selector: {}, template: {} },
      })
    },
  }
}
export type ControlPlaneSeed = Awaited<ReturnType<typeof newSeed>>
