import { type WebhookDefinition, webhookPermissions } from '../shared/admission/admission.ts'
import { servedBy, type WebhookSettings } from '../webhook/webhook.ts'
import { type Comment, commented, yamlOf } from './commented.ts'
import { ownRules, webhookObjects } from './webhook-objects.ts'

/** The files of `webhookManifest`, by the cluster whose API servers ask. */
export const webhookFiles = { seed: 'webhook.yaml', garden: 'admission.yaml' } as const

const heads = {
  seed: 'The webhooks of a seed and its shoots: two replicas, of which one writes registrations.',
  garden:
    'Admission in the virtual garden. The ClusterRole and its binding belong there, for the account of GARDEN_KUBECONFIG, which an operator mounts; everything else where the process runs.',
} as const

/** What makes the process run that answers these webhooks, as YAML documents. */
export const webhookManifest = (
  cluster: WebhookSettings['cluster'],
  all: readonly WebhookDefinition[],
): string => {
  const definitions = servedBy({ cluster, components: [] }, all)
  const objects = webhookObjects(cluster, definitions)
  const pod = ['spec', 'template', 'spec']
  const own = ownRules(definitions)
  return yamlOf([
    commented(objects.deployment, [
      [[], `${heads[cluster]} Made from the definitions by make manifests.`],
      [['spec', 'strategy'], 'Never fewer than two, as API servers stop where nobody answers.'],
      [
        [...pod, 'terminationGracePeriodSeconds'],
        'Callers leave within 90 s; none is cut before, and a review has at most 30 s.',
      ],
      [
        [...pod, 'containers', 0, 'env', 1],
        'Objects pass through and are not kept: without bounds V8 lets tens of megabytes of them pile up.',
      ],
    ]),
    ...objects.services.map((service, index) =>
      commented(
        service,
        index === 0 ? [[[], 'One for each component, by whose name its certificate is shown.']] : [],
      ),
    ),
    commented(objects.budget, []),
    commented(objects.serviceAccount, []),
    commented(objects.clusterRole, [
      [
        [],
        'What admission functions look up, and the registrations. Of no object that is reviewed anything is written.',
      ],
      ...webhookPermissions(definitions).map(
        ({ reasons }, index): Comment => [['rules', own + index], reasons.join('\n')],
      ),
    ]),
    commented(objects.clusterRoleBinding, []),
    commented(objects.role, [[[], 'Certificates for all replicas, and which of them writes.']]),
    commented(objects.roleBinding, []),
  ])
}
