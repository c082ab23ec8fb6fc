import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestSeed, type TestSeed } from './harness.ts'
import { kubectlFile, runKubectl, withKubectl } from './kubectl.ts'

describe.skipIf(kubectlFile === undefined)(withKubectl, () => {
  let seed: TestSeed
  beforeAll(async () => {
    seed = await startTestSeed({ kinds: ['DNSRecord'] })
  })
  afterAll(() => seed.close())

  const kubectl = (...args: readonly string[]) =>
    runKubectl(seed.kubeconfigFile, '--namespace=shoot--garden--rose', ...args)

  const names = ['rose-external', 'rose-ingress', 'rose-ipv6', 'rose-owner']

  test('the examples become records, and kubectl wait succeeds', async () => {
    await kubectl('apply', '--filename=examples/dnsrecord/shoot.yaml')
    const applied = await kubectl('apply', '--filename=examples/dnsrecord/zone-records.yaml')
    for (const name of names) {
      expect(applied).toContain(`dnsrecord.extensions.gardener.cloud/${name} created`)
    }
    await kubectl(
      'wait',
      '--for=jsonpath={.status.lastOperation.state}=Succeeded',
      '--timeout=20s',
      ...names.map(name => `dnsrecord/${name}`),
    )
    expect(seed.records()).toHaveLength(5)
  })

  test('kubectl get shows the columns of the kind', async () => {
    const table = (await kubectl('get', 'dns')).trim().split('\n')
    expect(table[0]?.split(/\s{2,}/)).toEqual(['NAME', 'TYPE', 'DOMAIN NAME', 'RECORD TYPE', 'STATUS', 'AGE'])
    expect(table.slice(1).map(line => line.split(/\s{2,}/).slice(0, 5))).toEqual([
      ['rose-external', 'aws-route53', 'api.rose.example.com', 'A', 'Succeeded'],
      ['rose-ingress', 'aws-route53', '*.ingress.rose.example.com', 'CNAME', 'Succeeded'],
      ['rose-ipv6', 'aws-route53', 'v6.rose.example.com', 'AAAA', 'Succeeded'],
      ['rose-owner', 'aws-route53', 'owner.rose.example.com', 'TXT', 'Succeeded'],
    ])
  })

  test('a repeated apply is a request that changes nothing in the cloud', async () => {
    seed.aws.calls.clear()
    await kubectl('apply', '--filename=examples/dnsrecord/zone-records.yaml')
    for (const name of names) await seed.untilReady(name)
    expect(seed.changes()).toEqual([])
  })

  test('a patched value with an annotation changes the record', async () => {
    await kubectl(
      'patch',
      'dns',
      'rose-external',
      '--type=merge',
      '--patch={"spec":{"values":["203.0.113.77"]}}',
    )
    await kubectl('annotate', 'dns', 'rose-external', 'gardener.cloud/operation=reconcile', '--overwrite')
    await seed.untilReady('rose-external')
    expect(seed.records()).toContain('A api.rose.example.com. 120 203.0.113.77')
  })

  test('a deletion first needs a confirmation', async () => {
    await expect(kubectl('delete', 'dns', 'rose-owner')).rejects.toThrow(
      'confirmation.gardener.cloud/deletion',
    )
    await kubectl('annotate', 'dns', '--all', 'confirmation.gardener.cloud/deletion=true')
    await kubectl('delete', 'dns', '--all', '--timeout=20s')
    expect(await kubectl('get', 'dns')).toContain('No resources found')
    expect(seed.records()).toEqual([])
  })
})
