import { CodedError } from '../../contract/errors.ts'
import type { KubernetesObject } from '../../kubernetes/kubernetes.ts'
import type { DesiredManagedResource } from '../../resources/resources.ts'
import type { ControlPlaneProvider } from '../provider.ts'
import { resourceNames } from '../resource-names.ts'

const ca = 'ca-provider-tiny'
const server = 'tiny-controller-server'
const webhook = 'tiny-webhook'

const configMap = (name: string, data: Readonly<Record<string, string>>): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
})

/** A minimal provider with ConfigMaps as components. */
export const tinyProvider = (overrides: Partial<ControlPlaneProvider> = {}): ControlPlaneProvider => ({
  secretsIdentity: 'provider-tiny',
  secrets: () => [
    { kind: 'ca', name: ca, commonName: ca, persist: true, autoRotate: false },
    { kind: 'server', name: server, commonName: server, signedBy: { ca, use: 'old' } },
    { kind: 'server', name: webhook, commonName: webhook, signedBy: { ca, use: 'current' } },
  ],
  shootAccess: ['controller', 'driver'],
  desired: ({ controlPlane }) => {
    const { namespace = '' } = controlPlane.metadata
    const config: Readonly<Record<string, unknown>> = Object(controlPlane.spec.providerConfig)
    if (config.unreadable) throw new CodedError('could not decode', { codes: ['ERR_CONFIGURATION_PROBLEM'] })
    const resource = (
      name: string,
      objects: readonly KubernetesObject[],
      fields: Partial<DesiredManagedResource> = {},
    ): DesiredManagedResource => ({ name, namespace, key: 'objects', objects, ...fields })
    return {
      prerequisites: [
        resource(resourceNames.configuration, [configMap('config', { size: String(config.size ?? 1) })], {
          class: 'seed',
        }),
      ],
      resources: ({ secrets, cloudproviderData, replicas }) => {
        if (config.unrenderable) throw new CodedError('could not find image', { codes: [] })
        return [
          resource(
            resourceNames.seed,
            [
              configMap('controller', {
                replicas: String(replicas),
                server: secrets.current(server).name,
                webhook: secrets.current(webhook).name,
                credentials: JSON.stringify(cloudproviderData),
              }),
            ],
            { class: 'seed' },
          ),
          resource(resourceNames.shoot, [configMap('trust', { bundle: secrets.bundle(ca).name })]),
          resource(resourceNames.crds, [configMap('crds', {})]),
          resource(resourceNames.storageClasses, [configMap('classes', {})]),
        ]
      },
      ...(config.warning
        ? { conditions: { Warned: { status: 'True', reason: 'Asked' } } }
        : { conditions: { Warned: undefined } }),
    }
  },
  ...overrides,
})
