import { expect, test } from 'vitest'
import { secretConfigs, shootAccessNames } from './secrets.ts'
import { renderedOf } from './testing/control-plane.ts'

test('each component that calls the shoot’s API server has an access secret, and no secret is unused', () => {
  const { resources } = renderedOf()
  const mounted = [...JSON.stringify(resources).matchAll(/"shoot-access-([a-z-]+)"/g)]
    .map(([, name]) => name)
    // The scraper belongs to Gardener.
    .filter(name => name !== 'prometheus-shoot')
  expect([...new Set(mounted)].toSorted()).toEqual(shootAccessNames.toSorted())
})

test('certificates contain the DNS names of their Service', () => {
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
