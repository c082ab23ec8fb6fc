import {
  configurationProblem,
  decodeStrictly,
  defineFunction,
  type Extension,
  type KubernetesObject,
} from '@trellis-gardener/trellis'
import { networkLabels, priorityClasses } from '@trellis-gardener/trellis/components'
import { extensionFlow, resourcePermissions } from '@trellis-gardener/trellis/resources'
import { isHibernationEnabled } from '@trellis-gardener/trellis/shoot'
import * as z from 'zod'

const name = 'acme-alerts'

const configSchema = z.strictObject({
  apiVersion: z.literal('alerts.acme.example.com/v1alpha1'),
  kind: z.literal('AlertsConfig'),
  /** A Secret of the Shoot's `spec.resources` with the keys `url` and `password`. */
  mailSecret: z.string().min(1),
})

const configOf = ({ spec }: Extension): z.output<typeof configSchema> => {
  try {
    return decodeStrictly(configSchema, spec.providerConfig)
  } catch (error) {
    throw configurationProblem(`cannot use spec.providerConfig: ${Object(error).message}`, error)
  }
}

/** Extensions of type `acme-alerts`: a program in the seed that mails the alerts of a shoot. */
export const definition = defineFunction({
  name,
  kind: 'Extension',
  type: name,
  permissions: resourcePermissions,
  create: () =>
    extensionFlow({
      resource: { name, class: 'seed', key: 'data.yaml' },
      references: ({ object }) => [{ name: configOf(object).mailSecret, keys: ['url', 'password'] }],
      objects: ({ object, cluster }, { references: [mail] }) => [
        mailer({
          namespace: object.metadata.namespace ?? '',
          replicas: cluster && isHibernationEnabled(cluster) ? 0 : 1,
          secretName: mail?.copy.name ?? '',
        }),
      ],
      healthyWithinMs: () => 120_000,
    }),
})

interface MailerInput {
  readonly namespace: string
  readonly replicas: number
  readonly secretName: string
}

/** The program mounts gardenlet's copy of the Secret, so its pods get a new password without a reconcile. */
const mailer = ({ namespace, replicas, secretName }: MailerInput): KubernetesObject => {
  const labels = { app: name }
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace, labels },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels: { ...labels, ...networkLabels.toDns, ...networkLabels.toPublicNetworks } },
        spec: {
          automountServiceAccountToken: false,
          priorityClassName: priorityClasses.controlPlane[100],
          containers: [
            {
              name,
              image: 'registry.example.com/acme/alerts:v1.0.0',
              volumeMounts: [{ name: 'mail', mountPath: '/etc/mail', readOnly: true }],
            },
          ],
          volumes: [{ name: 'mail', secret: { secretName } }],
        },
      },
    },
  }
}
