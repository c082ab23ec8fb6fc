import { expect, test } from 'vitest'
import { secretConfigs, shootAccessNames } from './secrets.ts'
import { renderedOf } from './testing/control-plane.ts'

test('each component that reaches the shoot’s API server has a secret for it, and none has one in vain', () => {
  const { resources } = renderedOf()
  const mounted = [...JSON.stringify(resources).matchAll(/"shoot-access-([a-z-]+)"/g)]
    .map(([, name]) => name)
    // The one that scrapes is Gardener's own.
    .filter(name => name !== 'prometheus-shoot')
  expect([...new Set(mounted)].toSorted()).toEqual(shootAccessNames.toSorted())
})

test('certificates are for the names by which a Service is reached', () => {
  const { authorities, certificates } = secretConfigs('shoot--foo--bar')
  expect(authorities).toEqual([
    {
      kind: 'ca',
      name: 'ca-provider-aws-controlplane',
      commonName: 'ca-provider-aws-controlplane',
      persist: true,
      autoRotate: false,
    },
  ])
  const namesOf = (service: string) =>
    ['', '.shoot--foo--bar', '.shoot--foo--bar.svc', '.shoot--foo--bar.svc.cluster.local'].map(
      end => `${service}${end}`,
    )
  expect(certificates).toEqual([
    {
      kind: 'server',
      name: 'cloud-controller-manager-server',
      commonName: 'cloud-controller-manager',
      dnsNames: namesOf('cloud-controller-manager'),
      skipPublishingCaCertificate: true,
      signedBy: { ca: 'ca-provider-aws-controlplane', use: 'old' },
    },
    {
      kind: 'server',
      name: 'aws-load-balancer-controller-webhook-service',
      commonName: 'aws-load-balancer-controller-webhook-service',
      dnsNames: namesOf('aws-load-balancer-controller-webhook-service'),
      skipPublishingCaCertificate: true,
      signedBy: { ca: 'ca-provider-aws-controlplane', use: 'current' },
    },
  ])
})
