import { describe, expect, test } from 'vitest'
import { findWebhooks } from '../../../functions/find-webhooks.ts'
import type { KubernetesObject } from '../../../shared/kubernetes/kubernetes.ts'
import { parseSettings } from '../../../shared/runtime/runtime.ts'
import { leaseNameOf, webhookSettings } from '../../../shared/webhooks/server/webhook.ts'
import { admissionParts } from '../../knative.ts'
import { admissionDeployment, parseAdmissionValues } from '../chart.ts'

const webhooks = await findWebhooks()
const image = { registry: 'registry.example.com/trellis' }

/** The objects that gardener-operator installs for an Extension of this name, in its one namespace for all of them. */
const objectsOf = (name: string, component: string): readonly KubernetesObject[] => {
  const values = parseAdmissionValues(
    { libraryVersion: '1.2.3', version: '1.2.3', webhooks },
    { image, components: { [component]: { enabled: true } } },
  )
  const deployment = admissionDeployment(values, webhooks, {
    name,
    namespace: 'garden',
    version: '1.2.3',
    libraryVersion: '1.2.3',
  })
  return admissionParts(deployment).flatMap(({ objects }) =>
    objects.map(({ object }) => JSON.parse(JSON.stringify(object)) as KubernetesObject),
  )
}

const placesOf = (objects: readonly KubernetesObject[]): readonly string[] =>
  objects.map(({ kind, metadata }) => `${kind} ${metadata.namespace ?? ''}/${metadata.name}`)

const leaseOf = (objects: readonly KubernetesObject[]): string => {
  const pod = objects.find(({ kind }) => kind === 'Deployment') as
    | { spec: { template: { spec: { containers: { env: { name: string; value?: string }[] }[] } } } }
    | undefined
  const env = pod?.spec.template.spec.containers[0]?.env ?? []
  return leaseNameOf(
    parseSettings(webhookSettings, {
      flags: {},
      env: Object.fromEntries(env.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]]))),
    }),
  )
}

describe('two releases of admission in one garden', () => {
  const aws = objectsOf('trellis-aws', 'admission-aws')
  const calico = objectsOf('trellis-calico', 'admission-calico')

  test('they share no object', () => {
    expect(placesOf(aws)).toContain('Deployment garden/trellis-aws-admission')
    expect(new Set([...placesOf(aws), ...placesOf(calico)]).size).toBe(aws.length + calico.length)
  })

  test('each has a separate Lease, which its Role allows it to update', () => {
    expect([leaseOf(aws), leaseOf(calico)]).toEqual(['trellis-aws-admission', 'trellis-calico-admission'])
    for (const objects of [aws, calico]) {
      const role = objects.find(({ kind }) => kind === 'Role')
      expect(JSON.stringify(role)).toContain(`"resourceNames":["${leaseOf(objects)}"]`)
    }
  })

  test('each selects only its own pods', () => {
    const selectors = [aws, calico].map(objects =>
      objects.filter(({ kind }) => kind === 'Service').map(({ spec }) => Object(spec).selector),
    )
    expect(selectors).toEqual([[{ app: 'trellis-aws-admission' }], [{ app: 'trellis-calico-admission' }]])
  })

  test('two of one component share its Service, so Helm refuses the second', () => {
    const other = placesOf(objectsOf('other', 'admission-aws'))
    expect(placesOf(aws).filter(place => other.includes(place))).toEqual([
      'Service garden/gardener-extension-admission-aws',
    ])
  })
})
