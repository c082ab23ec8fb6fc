import { configurationProblem } from '../../../shared/contract/errors.ts'
import type { Extension } from '../../../shared/contract/objects.ts'
import { extensionFlow } from '../../../shared/extension/extension.ts'
import { managedResourceCheck } from '../../../shared/health/health.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { resourcePermissions } from '../../../shared/resources/resources.ts'
import { defineFunction } from '../../../shared/runtime/define-function.ts'

/** The name of the ManagedResource and of its objects. */
const nameOf = ({ metadata }: Extension) => `extension-${metadata.name}`

/** The name of a Secret in the Shoot's spec.resources. */
const secretOf = ({ spec }: Extension): string => {
  const { secretRef } = Object(spec.providerConfig)
  if (typeof secretRef === 'string' && secretRef !== '') return secretRef
  throw configurationProblem('cannot use spec.providerConfig: set secretRef to a name in spec.resources')
}

/** Extensions of type `acme`: a program beside the shoot's control plane, with a Secret of the shoot's project. */
export const definition = defineFunction({
  name: 'acme-extension',
  kind: 'Extension',
  type: 'acme',
  classes: ['shoot'],
  finalizerSuffix: 'acme',
  permissions: resourcePermissions,
  // gardenlet copies the condition to the Shoot.
  health: { conditions: [{ type: 'ControlPlaneHealthy', checks: [managedResourceCheck(nameOf)] }] },
  create: () =>
    extensionFlow({
      resource: { name: nameOf, class: 'seed', key: 'extension.yaml' },
      references: ({ object }) => [{ name: secretOf(object), keys: ['token'] }], // TODO: List the keys of the Secret.
      objects: ({ object }, { references: [secret] }) => [deployment(object, secret?.copy.name ?? '')],
    }),
})

/** TODO: Set image and flags. The pods mount gardenlet's copy of the Secret, and get a new value without a reconcile. */
const deployment = (object: Extension, secretName: string): KubernetesObject => {
  const labels = { app: nameOf(object) }
  const volumeMounts = [{ name: 'secret', mountPath: '/etc/secret', readOnly: true }]
  const containers = [{ name: 'program', image: 'registry.example.com/acme:v1', volumeMounts }]
  const volumes = [{ name: 'secret', secret: { secretName } }]
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: nameOf(object), namespace: object.metadata.namespace ?? '', labels },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers, volumes } },
    },
  }
}
