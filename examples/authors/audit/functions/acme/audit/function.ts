import { defineFunction, ensureObject } from '@trellis-gardener/trellis'

const configMaps = { group: '', version: 'v1', plural: 'configmaps', namespaced: true } as const

/** Gives each ControlPlane of type `acme` an audit policy, and says so in a condition. */
export const definition = defineFunction({
  role: 'secondary',
  name: 'acme-audit',
  kind: 'ControlPlane',
  type: 'acme',
  conditions: ['AuditPolicyReady'],
  permissions: [
    { resource: configMaps, verbs: ['get', 'create', 'patch'], why: 'Holds the audit policy of a shoot.' },
  ],
  create: () => ({
    observe: async ({ object, owner, cluster, kubernetes }) => {
      const { namespace = '' } = object.metadata
      const level = String(Object(Object(cluster?.spec.shoot).metadata).annotations?.['acme/audit'] ?? 'none')
      if (level !== 'none' && level !== 'all')
        return unready(
          'UnknownLevel',
          `the Shoot's annotation acme/audit is "${level}": expected none or all`,
        )
      // Kubernetes deletes it with its owner, also after a migration to another seed.
      const metadata = { name: 'audit-policy', namespace, ownerReferences: [owner] }
      const data = { level }
      await ensureObject(
        kubernetes,
        {
          resource: configMaps,
          create: () => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data }),
          patch: present => (Object(present.data).level === level ? undefined : { data }),
        },
        await kubernetes.get(configMaps, metadata),
      )
      return ready(`the audit level is ${level}`)
    },
  }),
})

const ready = (message: string) =>
  ({ conditions: { AuditPolicyReady: { status: 'True', reason: 'PolicyWritten', message } } }) as const

const unready = (reason: string, message: string) =>
  ({ conditions: { AuditPolicyReady: { status: 'False', reason, message } } }) as const
